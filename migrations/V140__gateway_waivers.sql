-- Gateways of which an operator said that what they refuse holds up nobody's writes.
create table gateway_waivers (
    gateway_id text primary key,
    waived_at timestamptz not null default now(),
    waived_by text not null,
    reason text
);

-- The keys of writes that changed nothing: they made no revision that could keep them.
create table unchanged_writes (
    write_id uuid primary key,
    request_digest text not null,
    revision bigint not null,
    state_hash text not null,
    at timestamptz not null default now()
);
create index unchanged_writes_at on unchanged_writes (at);
