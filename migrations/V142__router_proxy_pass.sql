-- The proxy pass of a router whose proxy server passes bytes; routers of HTTP name none.

alter table routers add column proxy_pass_id text collate "C"
    generated always as (spec ->> 'proxyPassId') stored references proxy_passes (id);
create index routers_proxy_pass_id on routers (proxy_pass_id, id) where proxy_pass_id is not null;
