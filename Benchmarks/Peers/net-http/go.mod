module anvil-peer-net-http

go 1.19
