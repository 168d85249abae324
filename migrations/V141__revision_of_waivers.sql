-- The revision that the gateway refused when somebody waived it; none for waivers of an older version.
alter table gateway_waivers add column revision bigint;
