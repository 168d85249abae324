-- The configuration and its history. A row's columns beside `spec` are generated from it, so that they cannot disagree.
-- Ids are compared bytewise, so that pages come in one order everywhere.

create table proxy_servers (
    id         text collate "C" primary key,
    spec       jsonb       not null,
    name       text generated always as (spec ->> 'name') stored,
    protocol   text generated always as (spec ->> 'protocol') stored,
    revision   bigint      not null,
    updated_at timestamptz not null
);

create table upstreams (
    id         text collate "C" primary key,
    spec       jsonb       not null,
    name       text generated always as (spec ->> 'name') stored,
    revision   bigint      not null,
    updated_at timestamptz not null
);

create table proxy_passes (
    id          text collate "C" primary key,
    spec        jsonb       not null,
    name        text generated always as (spec ->> 'name') stored,
    upstream_id text collate "C" generated always as (spec ->> 'upstreamId') stored references upstreams (id),
    revision    bigint      not null,
    updated_at  timestamptz not null
);
create index proxy_passes_upstream_id on proxy_passes (upstream_id, id);

create table routers (
    id              text collate "C" primary key,
    spec            jsonb       not null,
    name            text generated always as (spec ->> 'name') stored,
    proxy_server_id text collate "C" generated always as (spec ->> 'proxyServerId') stored not null references proxy_servers (id),
    revision        bigint      not null,
    updated_at      timestamptz not null
);
create index routers_proxy_server_id on routers (proxy_server_id, id);

create table routes (
    id            text collate "C" primary key,
    spec          jsonb       not null,
    name          text generated always as (spec ->> 'name') stored,
    router_id     text collate "C" generated always as (spec ->> 'routerId') stored not null references routers (id),
    proxy_pass_id text collate "C" generated always as (spec ->> 'proxyPassId') stored not null references proxy_passes (id),
    revision      bigint      not null,
    updated_at    timestamptz not null
);
create index routes_router_id on routes (router_id, id);
create index routes_proxy_pass_id on routes (proxy_pass_id, id);

-- One row per write. `write_id` lets a writer whose connection broke during COMMIT find out what became of it.
create table revisions (
    number       bigint primary key,
    write_id     uuid        not null unique,
    committed_at timestamptz not null,
    author       text        not null,
    message      text,
    state_hash   text        not null,
    changes      integer     not null
);

create table revision_changes (
    revision bigint  not null references revisions (number) on delete cascade,
    seq      integer not null,
    kind     text    not null,
    id       text    not null,
    before   jsonb,
    after    jsonb,
    primary key (revision, seq)
);

-- Who asked for what from where. Kept as long as the revision that it made.
create table audit (
    revision bigint      primary key references revisions (number) on delete cascade,
    at       timestamptz not null,
    author   text        not null,
    address  text        not null,
    action   text        not null
);

-- Every writer locks this row first: writers take turns, and revisions have no gaps.
create table head (
    one        boolean primary key default true check (one),
    revision   bigint  not null,
    state_hash text    not null
);
insert into head (revision, state_hash) values (0, repeat('0', 64));
