import { Alert, Anchor, Badge, Button, Menu, Text } from '@mantine/core';
import { IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AuditKind, AuditOutcome, type AuditRecord } from '#client';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ChoiceFilter, ClearFilters, Filters, isFiltered } from '@/components/filters';
import { MomentFilter } from '@/components/moment-filter';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { PagedTable } from '@/components/paged-table';
import { ProblemAlert } from '@/components/problem-alert';
import { ResourceLink } from '@/components/resource-link';
import { LastTime } from '@/components/time-ago';
import { TypedFilter } from '@/components/typed-filter';
import { auditDetail } from '@/features/audit/audit-detail';
import { entityOf, operationName, operations } from '@/features/audit/audit-operations';
import { exportAuditRecords, listAuditRecords, verifyAuditLog, type AuditFilter } from '@/lib/api/audit';
import { saveFile } from '@/lib/save-file';
import { whoIn, whoOf } from '@/lib/who';
import { many, t } from '@/locales';
import { translateServer } from '@/locales/server';

const ENTITIES_SHOWN_MAX = 3;
const kindNames: Readonly<Record<AuditKind, string>> = {
  PROXY_SERVER: t('Proxy server'),
  ROUTER: t('Router'),
  ROUTE: t('Route'),
  PROXY_PASS: t('Proxy pass'),
  UPSTREAM: t('Upstream'),
  CONSUMER: t('Consumer'),
  CERTIFICATE: t('Certificate'),
  USER: t('User'),
  TOKEN: t('API token'),
  GATEWAY: t('Gateway'),
};
const outcomes = {
  DONE: { text: t('Done'), color: 'green' },
  REFUSED: { text: t('Refused'), color: 'red' },
  FAILED: { text: t('Failed'), color: 'orange' },
} as const satisfies Record<AuditOutcome, unknown>;

const columns: readonly Column<AuditRecord>[] = [
  { header: t('When'), cell: ({ at }) => <LastTime at={at} /> },
  { header: t('Who'), cell: ({ who }) => whoOf(who) },
  { header: t('Client address'), cell: ({ address }) => <Mono whole>{address}</Mono> },
  {
    header: t('Operation'),
    cell: ({ action }) => (
      <Text span size="sm" title={action}>
        {operationName(action)}
      </Text>
    ),
  },
  { header: t('Concerns'), cell: ({ entities }) => <Entities entities={entities} /> },
  { header: t('Outcome'), cell: (record) => <Outcome record={record} /> },
  {
    header: t('Revision'),
    cell: ({ revision }) =>
      revision !== undefined && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/revisions/$number" params={{ number: String(revision) }} />
          )}
        >
          {revision}
        </Anchor>
      ),
  },
];

interface AuditPageProps {
  readonly filter: AuditFilter;
  readonly onFilter: (filter: AuditFilter) => void;
}

export function AuditPage({ filter, onFilter }: AuditPageProps) {
  const query = useInfiniteQuery(listAuditRecords(filter));
  const filtered = isFiltered(filter);
  return (
    <>
      <PageHeader
        title={t('Audit log')}
        subtitle={t('Every request for a change: its sender, address and outcome. Newest first.')}
        actions={<AuditActions filter={filter} />}
      />
      <AuditFilters filter={filter} onFilter={onFilter} />
      <PagedTable
        query={query}
        columns={columns}
        rowKey={({ seq }) => seq}
        minWidth={900}
        empty={
          <EmptyState
            title={filtered ? t('No record matches') : t('No record yet')}
            action={filtered && <ClearFilters onClear={() => onFilter({})} />}
          >
            {t('Every change is recorded here. Refused changes are recorded too.')}
          </EmptyState>
        }
      />
    </>
  );
}

function AuditFilters({ filter, onFilter }: AuditPageProps) {
  const typing = (key: 'who' | 'id', label: string, placeholder: string) => (
    <TypedFilter
      label={label}
      placeholder={placeholder}
      value={key === 'who' ? filter[key] && whoOf(filter[key]) : filter[key]}
      onChange={(value) => onFilter({ ...filter, [key]: key === 'who' ? whoIn(value) : value })}
    />
  );
  return (
    <Filters filter={filter}>
      {typing('who', t('Who'), t('A user or token'))}
      <ChoiceFilter
        label={t('Operation')}
        values={
          filter.action === undefined || operations.includes(filter.action)
            ? operations
            : [...operations, filter.action]
        }
        nameOf={operationName}
        value={filter.action}
        onChange={(action) => onFilter({ ...filter, action })}
        searchable
        w={190}
      />
      <ChoiceFilter
        label={t('Outcome')}
        values={Object.values(AuditOutcome)}
        nameOf={(value) => outcomes[value].text}
        value={filter.outcome}
        onChange={(outcome) => onFilter({ ...filter, outcome })}
        w={130}
      />
      <ChoiceFilter
        label={t('Kind')}
        values={Object.values(AuditKind)}
        nameOf={(value) => kindNames[value]}
        value={filter.kind}
        onChange={(kind) => onFilter({ ...filter, kind })}
        w={160}
      />
      {typing('id', t('Id or name'), 'shop-api')}
      <MomentFilter
        label={t('From')}
        value={filter.from}
        onChange={(from) => onFilter({ ...filter, from })}
      />
      <MomentFilter label={t('Before')} value={filter.to} onChange={(to) => onFilter({ ...filter, to })} />
    </Filters>
  );
}

function Entities({ entities }: { readonly entities: readonly string[] }) {
  if (entities.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('no resource with a name')}
      </Text>
    );
  }
  return (
    <>
      {entities.slice(0, ENTITIES_SHOWN_MAX).map((entity) => (
        <div key={entity}>
          <Entity entity={entity} />
        </div>
      ))}
      {entities.length > ENTITIES_SHOWN_MAX && (
        <Text size="xs" c="dimmed">
          {t('and {more} more', { more: entities.length - ENTITIES_SHOWN_MAX })}
        </Text>
      )}
    </>
  );
}

function Entity({ entity }: { readonly entity: string }) {
  const { contractKind, kind, id } = entityOf(entity);
  const known = Object.values(AuditKind).find((one) => one === contractKind);
  return (
    <Text span size="sm">
      {known === undefined ? contractKind : kindNames[known]}{' '}
      {kind === undefined ? <Mono>{id}</Mono> : <ResourceLink kind={kind} id={id} />}
    </Text>
  );
}

function Outcome({ record }: { readonly record: AuditRecord }) {
  const { text, color } = outcomes[record.outcome];
  return (
    <>
      <Badge color={color} variant="light" tt="none">
        {text} {record.outcome !== 'DONE' && record.status}
      </Badge>
      {record.detail !== undefined && (
        <Text size="xs" c="dimmed">
          {auditDetail(record.detail)}
        </Text>
      )}
    </>
  );
}

function AuditActions({ filter }: { readonly filter: AuditFilter }) {
  const verification = useMutation(verifyAuditLog);
  const exporting = useMutation({
    ...exportAuditRecords,
    onSuccess: (file, { format }) => saveFile(`sigma-audit.${format}`, file),
  });
  const found = verification.data;
  const error = verification.error ?? exporting.error;
  return (
    <>
      {found !== undefined && (
        <Alert color={found.valid ? 'green' : 'red'} role="status" p="xs">
          {found.valid
            ? many(
                found.checked,
                'The chain of {count} record is intact.',
                'The chain of {count} records is intact.',
              )
            : t('Record {number} breaks the chain. {detail}', {
                number: found.brokenSeq ?? '?',
                detail: translateServer(found.detail ?? ''),
              })}
        </Alert>
      )}
      {error !== null && <ProblemAlert error={error} />}
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={16} />}
        loading={verification.isPending}
        onClick={() => verification.mutate()}
      >
        {t('Verify')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} />} loading={exporting.isPending}>
            {t('Export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => exporting.mutate({ filter, format: 'csv' })}>{t('As CSV')}</Menu.Item>
          <Menu.Item onClick={() => exporting.mutate({ filter, format: 'ndjson' })}>
            {t('As JSON lines')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
