/// URL forms, `application/x-www-form-urlencoded`, as a format of models.
///
///     try body.encode(user, with: URLForm.Encoder())
///     let user = try body.decode(as: User.self, with: URLForm.Decoder())
///
/// A form is a list of names and values, both text. Nested values are told by their names, which say the way to them in
/// brackets:
///
/// | value | pairs |
/// | --- | --- |
/// | a property | `name=ada` |
/// | a property of a nested value | `user[name]=ada` |
/// | an array of scalars | `user[tags][]=a&user[tags][]=b` |
/// | an array of anything else | `items[0][id]=1&items[0][size]=xl&items[1][id]=2` |
/// | `true`, a number, text | `on=true`, `ratio=0.5`, `title=` (text without characters) |
/// | a date, data, a URL, a UUID | `2026-11-21T08:00:00Z`, Base64, its text, its text |
/// | `nil`, an array or a dictionary without elements, a value without properties | nothing |
///
/// Servers agree on this but for arrays, which therefore have three forms (``Encoder/ArrayStyle``); ``Decoder`` reads all.
/// On the wire the brackets, like every byte but letters, digits and `*-._`, are percent-encoded (`user%5Bname%5D=ada`), and
/// a space is `+`.
///
/// Source: the URL standard, "application/x-www-form-urlencoded"; the names in brackets are a convention of PHP, Rails and
/// jQuery, in which no standard has a say.
public enum URLForm {}
