#include "opass/memory/certificate.h"

namespace opass::memory {

DecidingBound Deciding(const Certificate& certificate) {
  if (certificate.kind != Bound::Kind::kSegments) return {&certificate, nullptr};
  DecidingBound found{&certificate, nullptr};
  for (const Certificate::Segment& segment : certificate.segments) {
    const bool better =
        found.segment == nullptr || segment.bound.bytes > found.bound->bytes ||
        (segment.bound.bytes == found.bound->bytes && found.bound->kind == Bound::Kind::kSearch &&
         segment.bound.kind != Bound::Kind::kSearch);
    if (better) found = {&segment.bound, &segment};
  }
  return found;
}

bool IsCheckable(const Certificate& certificate) {
  return Deciding(certificate).bound->kind != Bound::Kind::kSearch;
}

std::string_view NameOf(Bound::Kind kind) {
  for (const auto& [known, name] : kBoundKinds) {
    if (known == kind) return name;
  }
  return "";
}

}  // namespace opass::memory
