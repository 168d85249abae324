-- The certificate that an upstream shows to its nodes.
alter table upstreams add column certificate_id text collate "C"
    generated always as (spec -> 'tls' ->> 'certificateId') stored references certificates (id);
create index upstreams_certificate_id on upstreams (certificate_id, id);
