/// The URL form format, `application/x-www-form-urlencoded`, for encoding and decoding models.
///
///     try body.encode(user, with: URLForm.Encoder())
///     let user = try body.decode(as: User.self, with: URLForm.Decoder())
///
/// A form is a list of names and values, both text. The name of a nested value contains its path, in brackets:
///
/// | value | pairs |
/// | --- | --- |
/// | a property | `name=ada` |
/// | a property of a nested value | `user[name]=ada` |
/// | an array of scalars | `user[tags][]=a&user[tags][]=b` |
/// | an array of anything else | `items[0][id]=1&items[0][size]=xl&items[1][id]=2` |
/// | `true`, a number, text | `on=true`, `ratio=0.5`, `title=` (empty text) |
/// | a date, data, a URL, a UUID | `2026-11-21T08:00:00Z`, Base64, its text, its text |
/// | `nil`, an empty array or dictionary, a value without properties | no pairs |
///
/// Servers agree on these names except for arrays. The encoder therefore supports three styles (``Encoder/ArrayStyle``), and
/// ``Decoder`` reads all of them. All bytes except letters, digits and `*-._` are percent-encoded, including the brackets
/// (`user%5Bname%5D=ada`). A space is sent as `+`.
///
/// Source: the URL standard, "application/x-www-form-urlencoded"; the names in brackets are a convention of PHP, Rails and jQuery and
/// are not standardized.
public enum URLForm {}
