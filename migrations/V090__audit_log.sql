-- Who asked for what, from where, and what came of it. Each row's hash covers the row before, so that what is changed or
-- removed later shows. Whoever appends locks `audit_head`: control planes keep one chain. What is trimmed leaves its last
-- hash behind as the checkpoint from which the rest is verified.

create table audit_log (
    seq      bigint primary key,
    at       timestamptz not null,
    who      text        not null,
    address  text        not null,
    action   text        not null,
    outcome  text        not null,
    status   integer     not null,
    revision bigint,
    entities text[]      not null,
    detail   text,
    hash     text        not null
);
create index audit_log_at on audit_log (at);
create index audit_log_who on audit_log (who, seq);
create index audit_log_entities on audit_log using gin (entities);

create table audit_head (
    one             boolean primary key default true check (one),
    seq             bigint not null,
    hash            text   not null,
    checkpoint_seq  bigint not null,
    checkpoint_hash text   not null
);
insert into audit_head (seq, hash, checkpoint_seq, checkpoint_hash) values (0, repeat('0', 64), 0, repeat('0', 64));

-- A text with its length, so that no two rows have one form.
create function audit_text(value text) returns text
    language sql immutable parallel safe
as $$
    select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-')
$$;

create function audit_hash(
    previous text, seq bigint, at timestamptz, who text, address text, action text, outcome text, status integer,
    revision bigint, entities text[], detail text
) returns text
    language sql stable
as $$
    select encode(sha256(convert_to(
        audit_text(previous) || audit_text(seq::text) || audit_text((extract(epoch from at) * 1000000)::bigint::text)
        || audit_text(who) || audit_text(address) || audit_text(action) || audit_text(outcome)
        || audit_text(status::text) || audit_text(revision::text) || audit_text(array_to_string(entities, ' '))
        || audit_text(detail), 'UTF8')), 'hex')
$$;

-- Adds one row to the chain and trims it to about `kept` rows, a bounded number at a time.
create function audit_append(
    kept bigint, moment timestamptz, who text, address text, action text, outcome text, status integer,
    revision bigint, entities text[], detail text
) returns bigint
    language plpgsql
as $$
declare
    head   audit_head%rowtype;
    digest text;
    cut    bigint;
begin
    select * into head from audit_head for update;
    head.seq := head.seq + 1;
    -- The clock of the database, so that rows are in the order of their times whoever appends them.
    moment := coalesce(moment, clock_timestamp());
    digest := audit_hash(head.hash, head.seq, moment, who, address, action, outcome, status, revision, entities, detail);
    insert into audit_log values
        (head.seq, moment, who, address, action, outcome, status, revision, entities, detail, digest);
    update audit_head set seq = head.seq, hash = digest;
    cut := least(head.seq - kept, head.checkpoint_seq + 1000);
    if head.seq % 100 = 0 and cut > head.checkpoint_seq then
        select log.hash into digest from audit_log log where log.seq = cut;
        if found then
            delete from audit_log log where log.seq <= cut;
            update audit_head set checkpoint_seq = cut, checkpoint_hash = digest;
        end if;
    end if;
    return head.seq;
end
$$;

-- What was kept before begins the chain.
do $$
declare
    old record;
begin
    for old in
        select audit.*,
               (select coalesce(array_agg(kind || '/' || id order by seq), '{}') from revision_changes
                where revision_changes.revision = audit.revision and seq < 100) as entities
        from audit order by audit.revision
    loop
        perform audit_append(9223372036854775807, old.at, old.author, old.address, split_part(old.action, ' ', 1),
                             'DONE', 200, old.revision, old.entities, null);
    end loop;
end
$$;

drop table audit;
