-- Which certificates gateways were given, and which gateways are shut out. A gateway that never was shut out may have one from
-- before this table; one that was and is let in again needs one of these that is not revoked.

create table gateway_certificates (
    serial     text primary key,
    gateway_id text collate "C" not null,
    issued_at  timestamptz      not null default now(),
    expires_at timestamptz      not null,
    renewed    boolean          not null,
    revoked_at timestamptz
);
create index gateway_certificates_gateway_id on gateway_certificates (gateway_id, issued_at);
create index gateway_certificates_expires_at on gateway_certificates (expires_at);

create table gateway_revocations (
    gateway_id text collate "C" primary key,
    revoked_at timestamptz not null default now(),
    revoked_by text        not null,
    reason     text,
    lifted_at  timestamptz
);
