#pragma once

#include "opass/frontends/relay/ast.h"
#include "opass/frontends/relay/token_stream.h"

namespace opass::frontends::relay {

// The type of a parameter: "float32" is a scalar, "Tensor[(2, 3), float32]" a tensor. Error: an
// open dimension ("?"), and any other type.
Status ParseTensorType(TokenStream& tokens, Parameter& parameter);

// Reads over a type of any kind.
Status SkipType(TokenStream& tokens, int depth);

// Reads over "type Name[A] { Constructor(A, Name[A]), ... }", of which "type" is in view.
Status SkipTypeDeclaration(TokenStream& tokens);

}  // namespace opass::frontends::relay
