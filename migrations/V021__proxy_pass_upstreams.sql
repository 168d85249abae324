-- A proxy pass may refer to several upstreams at once. Writers take turns and check every reference under the lock of
-- `head`, so an upstream that is referred to cannot be deleted meanwhile; a foreign key cannot look into an array.

create function proxy_pass_upstreams(spec jsonb) returns text[]
    language sql immutable parallel safe
as $$
    select coalesce(array_agg(distinct id order by id), '{}')
    from (
        select spec ->> 'upstreamId' as id
        union all
        select target ->> 'upstreamId'
        from jsonb_array_elements(coalesce(spec -> 'split' -> 'targets', '[]'::jsonb)) as target
    ) as referred
    where id is not null
$$;

alter table proxy_passes drop column upstream_id;
alter table proxy_passes add column upstream_id text[] generated always as (proxy_pass_upstreams(spec)) stored;
create index proxy_passes_upstream_id on proxy_passes using gin (upstream_id);
