-- The upstream that a proxy pass mirrors requests to is referred to like those that it forwards to. No row that is stored has
-- a mirror yet, so no stored value of the generated column changes.

create or replace function proxy_pass_upstreams(spec jsonb) returns text[]
    language sql immutable parallel safe
as $$
    select coalesce(array_agg(distinct id order by id), '{}')
    from (
        select spec ->> 'upstreamId' as id
        union all
        select spec -> 'mirror' ->> 'upstreamId'
        union all
        select target ->> 'upstreamId'
        from jsonb_array_elements(coalesce(spec -> 'split' -> 'targets', '[]'::jsonb)) as target
    ) as referred
    where id is not null
$$;
