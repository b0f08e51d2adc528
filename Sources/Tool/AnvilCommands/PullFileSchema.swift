/// The JSON Schema of the configuration file of `anvil pull`. The documentation shows the same text.
enum PullFileSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Configuration of anvil pull",
      "type": "object",
      "required": ["base_url", "listings"],
      "additionalProperties": false,
      "properties": {
        "$schema": {"type": "string"},
        "base_url": {
          "description": "The URL that the paths of the listings are relative to.",
          "type": "string", "pattern": "^https?://"
        },
        "into": {
          "description": "The database: the name of a SQLite file, or a postgres:// URL. --into replaces it.",
          "type": "string", "minLength": 1
        },
        "headers": {
          "description": "Header fields of all requests.",
          "type": "object", "additionalProperties": {"type": "string"}
        },
        "interval": {
          "description": "The number of seconds between two runs of --watch; 60 by default.",
          "type": "number", "exclusiveMinimum": 0, "maximum": 1000000
        },
        "rate_limit": {
          "description": "The maximum number of requests that start within some seconds; with --lease in all processes together.",
          "type": "object",
          "required": ["requests", "seconds"],
          "additionalProperties": false,
          "properties": {
            "requests": {"type": "integer", "minimum": 1, "maximum": 1000000000},
            "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000}
          }
        },
        "listings": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/listing"}}
      },
      "$defs": {
        "scalar": {"type": ["string", "number", "boolean", "null"]},
        "listing": {
          "type": "object",
          "required": ["name", "table"],
          "oneOf": [{"required": ["path"]}, {"required": ["partitions"]}],
          "additionalProperties": false,
          "properties": {
            "name": {
              "description": "The name under which the position is kept.",
              "type": "string", "minLength": 1
            },
            "path": {"description": "The path of the first page.", "type": "string"},
            "partitions": {
              "description": "The paths of the first pages of several partitions, by their names.",
              "type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}
            },
            "query": {
              "description": "Query items of the first page.",
              "type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}
            },
            "table": {"description": "The table of the rows.", "type": "string", "minLength": 1},
            "keys": {
              "description": "The members that identify a row; without keys, each object is a new row.",
              "type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}
            },
            "items": {
              "description": "The path of the list in a page, as of anvil get --path: data.items, edges[].node. By default the page is the list.",
              "type": "string"
            },
            "pages": {
              "description": "The rule that finds the next page; the Link header by default.",
              "type": "object",
              "required": ["by"],
              "additionalProperties": false,
              "properties": {
                "by": {"enum": ["link", "next_url", "cursor", "page", "offset"]},
                "parameter": {"description": "The query item, for cursor, page and offset.", "type": "string"},
                "path": {
                  "description": "The path of the URL or the cursor in a page, as of anvil get --path: meta.next, [\"@odata.nextLink\"]. For page and offset, the path of a Boolean value that is true if there is a next page.",
                  "type": "string"
                },
                "optional": {
                  "description": "True if a listing is complete even if none of its pages has the path.",
                  "type": "boolean"
                },
                "first": {"description": "The number of the first page, or the first offset.", "type": "integer"}
              },
              "allOf": [
                {
                  "if": {"properties": {"by": {"enum": ["cursor", "page", "offset"]}}},
                  "then": {"required": ["parameter"]}
                },
                {
                  "if": {"properties": {"by": {"enum": ["cursor", "next_url"]}}},
                  "then": {"required": ["path"]}
                },
                {
                  "if": {"properties": {"by": {"const": "link"}}},
                  "then": {"properties": {"path": false}}
                },
                {
                  "if": {"properties": {"by": {"enum": ["link", "page", "offset"]}}},
                  "then": {"properties": {"optional": false}}
                }
              ]
            },
            "cursor": {
              "description": "The rule by which later runs request only what has changed.",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "field": {"description": "The path of the field whose highest value is sent.", "type": "string"},
                "parameter": {"description": "The query item in which it is sent.", "type": "string"},
                "overlap": {
                  "description": "The amount by which the value that is sent is below the highest: seconds for dates, or a number.",
                  "type": "integer", "minimum": 0, "maximum": 1000000000000
                },
                "entity_tag": {"description": "Send the entity tag of the first page.", "const": true}
              },
              "oneOf": [{"required": ["field", "parameter"]}, {"required": ["entity_tag"]}],
              "dependentRequired": {"overlap": ["field"]}
            },
            "missing": {
              "description": "The treatment of rows that are missing from a complete listing.",
              "oneOf": [
                {"enum": ["kept", "deleted"]},
                {
                  "type": "object",
                  "required": ["deleted_where"],
                  "additionalProperties": false,
                  "properties": {
                    "deleted_where": {
                      "description": "Delete only rows in which each of these columns has its value, or one of its values.",
                      "type": "object", "minProperties": 1,
                      "additionalProperties": {
                        "anyOf": [
                          {"$ref": "#/$defs/scalar"},
                          {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/scalar"}}
                        ]
                      }
                    }
                  }
                }
              ]
            },
            "rules": {
              "description": "What an incoming row changes in a stored one, by the names of columns; by default it replaces the values.",
              "type": "object", "minProperties": 1,
              "additionalProperties": {
                "oneOf": [
                  {
                    "description": "Replace the value, keep it unless it is null, or merge objects and arrays.",
                    "enum": ["replace", "keep", "merge"]
                  },
                  {
                    "type": "object",
                    "required": ["newest_by"],
                    "additionalProperties": false,
                    "properties": {
                      "newest_by": {
                        "description": "Keep the value if the incoming row has a lower value in this column.",
                        "type": "string", "minLength": 1
                      }
                    }
                  }
                ]
              }
            },
            "newest_by": {
              "description": "Keep the values of all columns without a rule if the incoming row has a lower value in this column.",
              "type": "string", "minLength": 1
            },
            "tombstone": {
              "description": "The path of the field that marks deleted rows: present and not false, or equal to a value.",
              "type": "object",
              "required": ["field"],
              "additionalProperties": false,
              "properties": {"field": {"type": "string"}, "equals": true}
            }
          }
        }
      }
    }
    """#
}

extension CommandOption {
  static let database = value(
    "into", nil, "FILE|URL", completion: .files,
    "the database, instead of the one in FILE: a SQLite file, which is created if needed, or postgres://…")
  static let workers = value("workers", nil, "N", "pull up to N listings at the same time; 4 by default")
  static let lease = value(
    "lease", nil, "SECONDS",
    "share the partitions of the listings with other processes that pull FILE, also on other machines: a partition is "
      + "claimed for SECONDS, and the claim is renewed while the partition is pulled; if a process dies, others continue "
      + "it. The processes share \"rate_limit\", and all wait when the server answers 429 to one of them")
  static let watch = flag(
    "watch", nil,
    "run again after the \"interval\" of FILE, 60 seconds by default, until SIGINT or SIGTERM, or until a listing cannot be "
      + "pulled as FILE describes it; the exit status is that of the last run that was not interrupted")
  static let fresh = flag(
    "fresh", nil,
    "remove the stored positions first, so that everything is listed again; columns that the table has lost are added")
  static let pullSchema = flag("schema", nil, "print the JSON Schema of FILE")
}

extension CommandEntry {
  static let pull = CommandEntry(
    name: "pull", operands: "FILE", operandCompletion: .files,
    firstOperandCompletion: .choicesOrFiles(["status"]),
    summary: "keep a database up to date with the listings of an API",
    synopses: ["pull FILE [options]", "pull status FILE [options]"],
    discussion: [
      "Stores the listings of an API in a database and keeps them up to date. FILE describes the listings: the URL, the "
        + "paths, the tables, the keys of the rows, the pagination. Each page is stored in one transaction with the "
        + "position after it, so that an interrupted run continues where it stopped. Columns are created for the members "
        + "of the rows. A row that cannot be stored is skipped and reported.",
      "Prints a line for each listing when it ends: the pages, and the rows inserted, updated, unchanged, deleted and "
        + "skipped. On a terminal, each running listing has a line with the same numbers so far. A failed listing does "
        + "not end the others. With status, the stored positions are printed instead, and no request is sent.",
    ],
    groups: [
      OptionGroup("Options", [.database, .workers, .lease, .watch, .fresh, .pullSchema]),
      OptionGroup("Credentials", CommandOption.credentials + [.secretPath]),
    ],
    sections: [
      HelpSection(
        title: "Example",
        blocks: [
          .paragraph("ANVIL_USER and ANVIL_BEARER are used if no option names credentials. The smallest FILE:"),
          .verbatim([
            #"{"base_url": "https://api.example.com/v1", "into": "members.db","#,
            #" "listings": [{"name": "members", "path": "members","#,
            #"               "table": "Member", "keys": ["id"]}]}"#,
          ]),
        ])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success; some rows may have been skipped"), .transport, .status,
      ExitStatusHelp(
        .decoding,
        "decoding: a page is not JSON, has no list, or its pagination or cursor is invalid; a page or a row does not fit a path "
          + "of FILE; or all rows of a listing were skipped"
      ),
      ExitStatusHelp(.store, "store: the database cannot be opened or written, or another run stored a page first"),
      ExitStatusHelp(.usage, "usage: the command line or FILE is invalid (EX_USAGE of sysexits.h)"),
      ExitStatusHelp(.inputOutput, "input: FILE cannot be read (EX_IOERR)"),
    ]
  ) { arguments, console throws(CommandError) in
    if arguments.contains(.pullSchema) {
      console.write(PullFileSchema.text + "\n")
      return .success
    }
    let credentials = try CredentialOptions(arguments, console: console)
    return await PullCommand(options: try PullOptions(arguments, credentials: credentials), console: console).run()
  }
}
