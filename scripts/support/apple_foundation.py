"""Writes an interface of Apple's Foundation from the toolchain's own modules.

The toolchain describes the four modules that are Foundation on Linux. Their public declarations carry Apple's availability and, except for what
Tests/AppleStubs/Foundation.swiftinterface lists, have the shape of Apple's. One module is made of those that our sources mention by name.
"""

import pathlib
import platform
import re
import shutil
import subprocess

MODULES = ["FoundationEssentials", "FoundationInternationalization", "Foundation", "FoundationNetworking"]
TYPE = re.compile(r"\b(?:class|struct|enum|protocol|typealias|actor) (\w+)")
WORD = re.compile(r"\b[A-Z]\w*")
# Protocols and classes that the others are made of, and types of arguments that our sources need not name.
BASICS = [
    "NSObject", "NSObjectProtocol", "NSCopying", "NSSecureCoding", "DataProtocol", "MutableDataProtocol", "ContiguousBytes", "FormatStyle",
    "ParseStrategy", "FileAttributeKey", "OperationQueue", "CustomNSError", "URLResourceKey", "URLResourceValues",
]
# Words of our sources that name something else.
OTHERS = ["Expression", "Predicate", "Unit", "Measurement", "Dimension", "Port", "AttributeContainer"]
# Declarations that Apple's Foundation has in another form, that the modules repeat in another form, or that need types which nothing here uses.
REMOVED = re.compile(
    r"typealias NSRange$|extension NSString : CVarArg|\bmacro\b|appropriateFor reference: URL|DispatchData|NSIndexSet : Seq|URL\.Template|VerbatimHour"
    r"|RegexComponent|Encoding(Configuration|)\.Configuration")
# Formats other than ISO 8601, which is in FoundationEssentials.
FORMATS = re.compile("Style|ParseStrategy|FormatString")
# Declarations that only the SDK of macOS has, or that are unavailable in the others.
MACOS_ONLY = re.compile(
    r"^(open class|extension) Process\b|^(open|public) var homeDirectoryForCurrentUser|^(open|public) class Host\b|class func homeDirectory")


class Declaration:
    """A declaration with the attributes before it, and its members if it has a body."""

    def __init__(self, attributes, text):
        self.attributes, self.text, self.members = attributes, text, None

    @property
    def head(self):
        return self.text.strip()

    @property
    def root(self):
        """The name of the type that a declaration at the outermost level declares or extends."""
        extended = re.match(r"extension (\w+)", self.head)
        declared = TYPE.search(self.head.split(":")[0].split("<")[0])
        return (extended or declared).group(1) if extended or declared else None


def parse(text):
    """Parses the layout that swift-synthesize-interface prints: a declaration in a line, the members of one indented below it."""
    top = Declaration([], "")
    top.members = []
    stack, attributes, in_comment = [top], [], False
    for line in text.split("\n"):
        stripped = line.split(" // ")[0].strip()
        if in_comment or stripped.startswith("/*"):
            in_comment = not stripped.endswith("*/")
            continue
        if not stripped or stripped.startswith("//") or stripped.startswith("import "):
            continue
        if stripped == "}":
            stack.pop()
            attributes = []
        elif re.fullmatch(r"@\w+(\((?!.*\bmacro\b).*\))?", stripped):
            attributes.append(stripped)
        else:
            declaration = Declaration(attributes, stripped.replace("@inlinable ", "").replace("@usableFromInline ", ""))
            attributes = []
            stack[-1].members.append(declaration)
            if stripped.endswith("{"):
                declaration.members = []
                stack.append(declaration)
    return top.members


def repaired(text):
    """Returns the line of a declaration as an interface has it: the printed form leaves out accessors."""
    for module in MODULES:
        text = text.replace(module + ".", "Foundation.")
    if text.endswith("{ get }"):
        text = re.sub(r"\b(internal|private|fileprivate|package)\(set\) ", "", text)
        text = re.sub(r"\blet (?=\S+: .*\{ get \}$)", "var ", text)
    is_stored = re.search(r"\b(var|subscript)\b", text) and not re.search(r"\b(func|init|case|typealias)\b", text.split("(")[0])
    if is_stored and not text.endswith("}"):
        text += " { get set }"
    return text


def synthesize(module):
    """Returns the printed interface of a module of the toolchain."""
    libraries = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift"
    return subprocess.run(
        ["swift-synthesize-interface", "-module-name", module, "-target", f"{platform.machine()}-unknown-linux-gnu",
         "-I", str(libraries / "linux"), "-I", str(libraries), "-o", "-"],
        capture_output=True, text=True, check=True).stdout


def interface(mentioned):
    """Returns the declarations that are made of, or needed by, the types in `mentioned`, a set of words."""
    declarations, types = [], set()
    for module in MODULES:
        for declaration in parse(synthesize(module)):
            declaration.module = module
            declarations.append(declaration)
            if declaration.root and not declaration.head.startswith("extension"):
                types.add(declaration.root)
    # All of the URL loading system, because its classes are each other's properties.
    mentioned = mentioned | {d.root for d in declarations if d.module == "FoundationNetworking" and d.root}
    wanted, seen, lines = types & mentioned - set(OTHERS), set(), []
    # A superclass, a protocol that is inherited or another name's type is wanted, too.
    inherited = re.compile(r"^(?!extension\b).*?\b(?:class|struct|enum|protocol) \w+[^:]*: ([^{]*)|typealias ReferenceType = (.*)")
    needed = {}
    for declaration in declarations:
        if declaration.root is None:
            continue
        for part in [declaration, *(declaration.members or [])]:
            if match := inherited.match(repaired(part.head)) or re.search(r"(typealias ReferenceType = (.*))", part.head):
                needed.setdefault(declaration.root, set()).update(types & set(WORD.findall(match.group(1) or match.group(2))))
    grown = True
    while grown:
        more = set().union(*(needed.get(name, set()) for name in wanted)) - wanted
        grown = bool(more)
        wanted |= more

    def unwanted(head, module):
        """Whether a declaration needs a type that is left out."""
        words = set(WORD.findall(re.sub(r"\"[^\"]*\"", "", head)))
        return words & (types - wanted) or REMOVED.search(head) or (
            module != "FoundationEssentials" and FORMATS.search(head))

    def write(declaration, context, module):
        head = re.sub(r"\s+", " ", repaired(declaration.head))
        if unwanted(head, module):
            return
        if declaration.members is None:
            # The modules repeat what they share.
            signature = re.sub(r" = [^,)]*(?=[,)])", "", head.split(" {")[0])
            signature = re.sub(r"^(public|open|final| )+", "", signature.replace("let ", "var "))
            signature = re.sub(r"(typealias \w+|^var \w+).*", r"\1", signature) if not context else signature
            if (context, signature) in seen:
                return
            seen.add((context, signature))
        elif not head.startswith("extension"):
            if (context, "type", declaration.root) in seen:
                return
            seen.add((context, "type", declaration.root))
        lines.extend(declaration.attributes)
        if MACOS_ONLY.search(head):
            lines.extend(f"@available({other}, unavailable)" for other in ["iOS", "tvOS", "watchOS", "visionOS"])
        if re.search(r"\bvar \w+: (Mutable)?(Raw)?Span\b", head):
            head = head.replace("{ mutating get }", "{ @_lifetime(&self) mutating get }").replace("{ get }", "{ @_lifetime(borrow self) get }")
        lines.append(head)
        if declaration.members is not None:
            # An extension of a protocol has the implementations of its requirements.
            kind = "protocol " if " protocol " in head else ""
            name = re.split(r"[:{<]| where ", head)[0].strip().split(" ")[-1]
            for member in declaration.members:
                write(member, f"{context}/{kind}{name}", module)
            lines.append("}")

    for declaration in declarations:
        write(declaration, "", declaration.module)
    return "\n".join(lines)
