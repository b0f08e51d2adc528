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
