#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace opass {

// What went wrong, as the exit code of the tool (docs/errors.md): one table, in code and docs.
enum class ErrorCode {
  kRefused = 1,       // the answer is no: a plan is refused, two models differ, a goal is missed
  kInvalidInput = 2,  // a wrong file or a wrong use
  kNotPossible = 3,   // does not fit the budget or the capacity
  kEnvironment = 4,   // no libonnxruntime, disk full, no permission
  kInternal = 70,     // our own bug
  kInterrupted = 130,
};

constexpr int ExitCode(ErrorCode code) { return static_cast<int>(code); }

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence: what is wrong
  std::string where;    // file, node, value or line; may be empty
  std::string hint;     // what to do about it; may be empty
  std::string reason;   // a slug of the closed list in docs/errors.md; may be empty

  // "where: message (hint)"
  std::string ToString() const;
};

inline Error InvalidInput(std::string message, std::string where = "", std::string hint = "") {
  return {ErrorCode::kInvalidInput, std::move(message), std::move(where), std::move(hint), ""};
}
inline Error NotPossible(std::string message, std::string where = "", std::string hint = "") {
  return {ErrorCode::kNotPossible, std::move(message), std::move(where), std::move(hint), ""};
}
inline Error EnvironmentError(std::string message, std::string where = "", std::string hint = "") {
  return {ErrorCode::kEnvironment, std::move(message), std::move(where), std::move(hint), ""};
}
inline Error InternalError(std::string message, std::string where = "") {
  return {ErrorCode::kInternal, std::move(message), std::move(where), "", ""};
}
// The same error with the slug of the closed list.
inline Error WithReason(Error error, std::string reason) {
  error.reason = std::move(reason);
  return error;
}

// A value or an Error. Never throws; `operator*` of an error is a bug (checked by the variant).
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : data_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : data_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return data_.index() == 0; }
  const T& operator*() const& { return std::get<0>(data_); }
  T& operator*() & { return std::get<0>(data_); }
  T&& operator*() && { return std::get<0>(std::move(data_)); }
  const T* operator->() const { return &std::get<0>(data_); }
  T* operator->() { return &std::get<0>(data_); }
  const Error& error() const { return std::get<1>(data_); }
  Error& error() { return std::get<1>(data_); }

 private:
  std::variant<T, Error> data_;
};

// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  const Error& error() const { return *error_; }
  Error& error() { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace opass

#define OPASS_CONCAT_INNER(a, b) a##b
#define OPASS_CONCAT(a, b) OPASS_CONCAT_INNER(a, b)

// Returns the error of `expression` (a Status or a Result) from the enclosing function.
#define OPASS_RETURN_IF_ERROR(expression)                       \
  do {                                                          \
    if (auto opass_status = (expression); !opass_status.ok()) { \
      return std::move(opass_status.error());                   \
    }                                                           \
  } while (false)

// `declaration = value of expression`, or returns its error from the enclosing function.
#define OPASS_ASSIGN_OR_RETURN(declaration, expression) \
  OPASS_ASSIGN_OR_RETURN_IMPL(OPASS_CONCAT(opass_result_, __LINE__), declaration, expression)
#define OPASS_ASSIGN_OR_RETURN_IMPL(result, declaration, expression) \
  auto result = (expression);                                        \
  if (!result.ok()) return std::move(result.error());                \
  declaration = *std::move(result)
