-- The private key within `spec` is encrypted by the control plane.
create table certificates (
    id         text collate "C" primary key,
    spec       jsonb       not null,
    name       text generated always as (spec ->> 'name') stored,
    revision   bigint      not null,
    updated_at timestamptz not null
);

-- A proxy server may refer to several certificates at once; see the upstreams of proxy passes.
create function proxy_server_certificates(spec jsonb) returns text[]
    language sql immutable parallel safe
as $$
    select coalesce(array_agg(distinct id order by id), '{}')
    from (
        select spec -> 'tls' ->> 'defaultCertificateId' as id
        union all
        select jsonb_array_elements_text(coalesce(spec -> 'tls' -> 'certificates', '[]'::jsonb))
    ) as referred
    where id is not null
$$;

alter table proxy_servers add column certificates text[] generated always as (proxy_server_certificates(spec)) stored;
create index proxy_servers_certificates on proxy_servers using gin (certificates);
