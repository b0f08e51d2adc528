"""dlt as a peer of `anvil pull`: see Peers/README.md."""

import os
import sys
import tempfile

os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"

import dlt
from dlt.sources.rest_api import rest_api_source

url, path = sys.argv[1], os.path.abspath(sys.argv[2])
source = rest_api_source({
    "client": {"base_url": url, "paginator": "header_link"},
    "resources": [{
        "name": "rows", "primary_key": "id", "write_disposition": "merge", "endpoint": {"path": "rows"},
    }],
})
with tempfile.TemporaryDirectory() as folder:
    pipeline = dlt.pipeline(
        "rows", destination=dlt.destinations.sqlalchemy(f"sqlite:///{path}"), dataset_name="rows", pipelines_dir=folder)
    pipeline.run(source)
    with pipeline.sql_client() as client:
        print(client.execute_sql("SELECT count(*) FROM rows")[0][0], "rows")
