-- What a list filtered by name looks at: id and name in lower case, beside the id in an index, so that rows are read only where it
-- fits. A text within a text is found by looking at all of them, in order, until there are enough; that takes no extension, which not
-- every database has, and costs a write next to nothing.

alter table proxy_servers add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index proxy_servers_search on proxy_servers (id) include (search);

alter table routers add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index routers_search on routers (id) include (search);

alter table routes add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index routes_search on routes (id) include (search);

alter table proxy_passes add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index proxy_passes_search on proxy_passes (id) include (search);

alter table upstreams add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index upstreams_search on upstreams (id) include (search);

alter table consumers add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index consumers_search on consumers (id) include (search);

alter table certificates add column search text collate "C"
    generated always as (lower(id collate "default") || E'\n' || lower(coalesce(spec ->> 'name', ''))) stored;
create index certificates_search on certificates (id) include (search);
