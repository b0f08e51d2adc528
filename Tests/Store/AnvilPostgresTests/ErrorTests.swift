import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

@Suite(.needsServer, .timeLimit(.minutes(15))) struct ErrorTests {
  private static let schema = [
    "CREATE TABLE users (id BIGINT PRIMARY KEY, mail TEXT NOT NULL UNIQUE, age INTEGER CHECK (age >= 0))",
    "CREATE TABLE posts (id TEXT PRIMARY KEY, author BIGINT REFERENCES users (id))",
    "INSERT INTO users VALUES (1, 'a@example.org', 5)",
    "INSERT INTO posts VALUES ('p', 1)",
    """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'kept for good: %', old.id; END $$
    """,
    "CREATE TRIGGER guarded BEFORE DELETE ON posts FOR EACH ROW EXECUTE FUNCTION refuse()",
    "CREATE TABLE ranges (r INT4RANGE, EXCLUDE USING gist (r WITH &&))",
    "INSERT INTO ranges VALUES ('[1,5)')",
  ]

  @Test(arguments: [
    ("INSERT INTO users VALUES (1, 'b', 1)", StoreError.Code.constraint(.unique), "23505"),
    ("INSERT INTO users VALUES (2, 'a@example.org', 1)", .constraint(.unique), "23505"),
    ("INSERT INTO posts VALUES ('q', 99)", .constraint(.foreignKey), "23503"),
    ("DELETE FROM users WHERE id = 1", .constraint(.foreignKey), "23503"),
    ("INSERT INTO users VALUES (2, NULL, 1)", .constraint(.notNull), "23502"),
    ("INSERT INTO users VALUES (2, 'b', -1)", .constraint(.check), "23514"),
    ("DELETE FROM posts", .constraint(.other), "P0001"),
    ("INSERT INTO ranges VALUES ('[3,4)')", .constraint(.other), "23P01"),
    ("INSERT INTO users VALUES ('one'::text::bigint, 'b', 1)", .invalidValue, "22P02"),
    ("SELECT 9223372036854775807 + 1", .invalidValue, "22003"),
    ("SELECT 1 / 0", .invalidValue, "22012"),
    ("SELECT chr(0)", .tooLarge, "54000"),
    ("SELEC 1", .invalidStatement, "42601"),
    ("SELECT * FROM nowhere", .invalidStatement, "42P01"),
    ("SELECT nothing FROM users", .invalidStatement, "42703"),
    (#"SELECT "nothing" FROM users"#, .invalidStatement, "42703"),
    ("SELECT nothing()", .invalidStatement, "42883"),
    ("SELECT 1 + 'x'::text", .invalidStatement, "42883"),
    ("SAVEPOINT outside", .invalidStatement, "25P01"),
    ("SET SESSION AUTHORIZATION nobody_of_that_name", .invalidValue, "22023"),
    ("CREATE TABLE pg_catalog.mine (v INT)", .notPermitted, "42501"),
  ])
  func failuresHaveTheExpectedCode(sql: String, code: StoreError.Code, backendCode: String) throws {
    let schema = try TemporarySchema()
    let connection = try Self.connection(schema)
    let error = try storeError { try connection.run(sql) }
    #expect(error?.code == code)
    #expect(error?.backendCode == backendCode)
    #expect(error?.sql == sql)
    #expect(error?.backendMessage?.isEmpty == false || error?.reason?.isEmpty == false)
    // The connection is still usable.
    #expect(try connection.rows("SELECT count(*) FROM users") == [[.integer(1)]])
  }

  private static func connection(_ temporary: TemporarySchema) throws -> PostgresConnection {
    let connection = try temporary.open()
    for statement in schema { try connection.run(statement) }
    return connection
  }

  @Test(
    arguments: [
      (
        "INSERT INTO users\n  VALUES ($1, $2, $3)", [.integer(77), .text("a@example.org"), .integer(123_456)],
        """
        unique constraint failed: duplicate key value violates unique constraint "users_mail_key" (23505) in: \
        INSERT INTO users VALUES ($1, $2, $3)
        """
      ),
      (
        "INSERT INTO posts VALUES ($1, $2)", [.text("secret"), .integer(123_456)],
        """
        foreign key constraint failed: insert or update on table "posts" violates foreign key constraint \
        "posts_author_fkey" (23503) in: INSERT INTO posts VALUES ($1, $2)
        """
      ),
      (
        "SELECT $1::text::bigint", [.text("secret")],
        "invalid value: a value does not have the syntax of its type (22P02) in: SELECT $1::text::bigint"
      ),
      (
        "SELECT $1::text::int", [.text("123456789012")],
        "invalid value: a number is out of the range of its type (22003) in: SELECT $1::text::int"
      ),
      (
        "SELECT to_date($1, 'YYYY')", [.text("secret")],
        "invalid value: a value is not a valid date or time (22007) in: SELECT to_date($1, 'YYYY')"
      ),
      (
        "DELETE FROM posts WHERE id = $1", [.text("p")],
        "constraint failed: raised by a function or trigger (P0001) in: DELETE FROM posts WHERE id = $1"
      ),
      (
        "SELECT regexp_replace('a', $1, '')", [.text("secret(")],
        """
        invalid value: the message of the server is not shown, because it may contain values (2201B) in: \
        SELECT regexp_replace('a', $1, '')
        """
      ),
      ("SELECT nothing", [], #"invalid statement: column "nothing" does not exist (42703) in: SELECT nothing"#),
    ] as [(String, [StoreValue], String)])
  func descriptionsContainTheStatementButNoValues(sql: String, values: [StoreValue], description: String) throws {
    let schema = try TemporarySchema()
    let connection = try Self.connection(schema)
    let error = try storeError { try connection.run(sql, values) }
    #expect(error?.description == description)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func readOnlyTransactionsRejectWrites() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v TEXT)")
    try connection.run(connection.beginReading)
    #expect(try storeError { try connection.run("INSERT INTO t VALUES (1)") }?.code == .readOnly)
    try connection.run("ROLLBACK")
  }
}
