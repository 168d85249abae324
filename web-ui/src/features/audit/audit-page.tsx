import { Alert, Badge, Button, Group, Menu, Paper, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AuditKind, AuditOutcome, type AuditRecord } from '#client';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { exportAuditRecords, listAuditRecords, verifyAuditLog, type AuditFilter } from '@/lib/api/audit';

const TYPING_PAUSE_MILLIS = 250;
const kindNames: Readonly<Record<AuditKind, string>> = {
  PROXY_SERVER: 'Proxy server',
  ROUTER: 'Router',
  ROUTE: 'Route',
  PROXY_PASS: 'Proxy pass',
  UPSTREAM: 'Upstream',
  CONSUMER: 'Consumer',
  CERTIFICATE: 'Certificate',
  USER: 'User',
  TOKEN: 'API token',
};
const outcomes = {
  DONE: { text: 'Done', color: 'green' },
  REFUSED: { text: 'Refused', color: 'red' },
  FAILED: { text: 'Failed', color: 'orange' },
} as const satisfies Record<AuditOutcome, unknown>;

interface AuditPageProps {
  readonly filter: AuditFilter;
  readonly onFilter: (filter: AuditFilter) => void;
}

/** Returns the filter that an address names; what it does not know is left out. */
export function auditFilterOf(search: Readonly<Record<string, unknown>>): AuditFilter {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
  return {
    who: text(search.who),
    action: text(search.action),
    outcome: Object.values(AuditOutcome).find((outcome) => outcome === search.outcome),
    kind: Object.values(AuditKind).find((kind) => kind === search.kind),
    id: text(search.id),
  };
}

export function AuditPage({ filter, onFilter }: AuditPageProps) {
  const query = useInfiniteQuery(listAuditRecords(filter));
  const filtered = Object.values<string | undefined>({ ...filter }).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="Audit log"
        subtitle="Who asked for which change, from where, and what came of it. Newest first."
        actions={<AuditActions filter={filter} />}
      />
      <Filters filter={filter} onFilter={onFilter} />
      <Paper withBorder>
        <QueryView query={query}>
          {({ pages }) => {
            const records = pages.flatMap((page) => page.items);
            return records.length === 0 ? (
              <EmptyState
                title={filtered ? 'No record matches' : 'No record yet'}
                action={
                  filtered && (
                    <Button variant="default" onClick={() => onFilter({})}>
                      Clear the filters
                    </Button>
                  )
                }
              >
                Every change is recorded here, and every one that was refused.
              </EmptyState>
            ) : (
              <Records records={records} />
            );
          }}
        </QueryView>
      </Paper>
      {query.isFetchNextPageError && <ProblemAlert error={query.error} />}
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
    </>
  );
}

function Filters({ filter, onFilter }: AuditPageProps) {
  const typing = (key: 'who' | 'action' | 'id', label: string, placeholder: string) => (
    <TypedFilter
      key={`${key} ${filter[key] === undefined}`}
      label={label}
      placeholder={placeholder}
      value={filter[key]}
      onChange={(value) => onFilter({ ...filter, [key]: value })}
    />
  );
  return (
    <Group mb="md" align="flex-end" gap="sm">
      {typing('who', 'Who', 'A user or token')}
      {typing('action', 'Operation', 'putRoute')}
      <Select
        label="Outcome"
        placeholder="Any"
        data={Object.values(AuditOutcome).map((value) => ({ value, label: outcomes[value].text }))}
        value={filter.outcome ?? null}
        onChange={(value) =>
          onFilter({ ...filter, outcome: Object.values(AuditOutcome).find((one) => one === value) })
        }
        clearable
        w={130}
      />
      <Select
        label="Kind"
        placeholder="Any"
        data={Object.values(AuditKind).map((value) => ({ value, label: kindNames[value] }))}
        value={filter.kind ?? null}
        onChange={(value) =>
          onFilter({ ...filter, kind: Object.values(AuditKind).find((one) => one === value) })
        }
        clearable
        w={160}
      />
      {typing('id', 'Id or name', 'shop-api')}
    </Group>
  );
}

interface TypedFilterProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function TypedFilter({ label, placeholder, value, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  const search = useDebouncedCallback((text: string) => onChange(text || undefined), TYPING_PAUSE_MILLIS);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
      w={170}
    />
  );
}

function Records({ records }: { readonly records: readonly AuditRecord[] }) {
  return (
    <Table.ScrollContainer minWidth={900} type="native">
      <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>Operation</Table.Th>
            <Table.Th>Concerns</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>Revision</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr key={record.seq}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Text size="sm" c="dimmed">
                  <TimeAgo at={record.at} />
                </Text>
              </Table.Td>
              <Table.Td>{record.who}</Table.Td>
              <Table.Td>
                <Mono whole>{record.address}</Mono>
              </Table.Td>
              <Table.Td>
                <Mono whole>{record.action}</Mono>
              </Table.Td>
              <Table.Td>
                {record.entities.slice(0, 3).map((entity) => (
                  <div key={entity}>
                    <Mono whole>{entity}</Mono>
                  </div>
                ))}
                {record.entities.length > 3 && (
                  <Text size="xs" c="dimmed">
                    and {record.entities.length - 3} more
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Badge color={outcomes[record.outcome].color} variant="light" tt="none">
                  {outcomes[record.outcome].text} {record.outcome !== 'DONE' && record.status}
                </Badge>
                {record.detail !== undefined && (
                  <Text size="xs" c="dimmed">
                    {record.detail}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {record.revision !== undefined && (
                  <Link to="/revisions/$number" params={{ number: String(record.revision) }}>
                    {record.revision}
                  </Link>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function AuditActions({ filter }: { readonly filter: AuditFilter }) {
  const verification = useMutation(verifyAuditLog);
  const exporting = useMutation({ ...exportAuditRecords, onSuccess: saveFile });
  const found = verification.data;
  const error = verification.error ?? exporting.error;
  return (
    <>
      {found !== undefined && (
        <Alert color={found.valid ? 'green' : 'red'} role="status" p="xs">
          {found.valid
            ? `The chain of ${found.checked} records holds.`
            : `Record ${found.brokenSeq ?? '?'} breaks the chain. ${found.detail ?? ''}`}
        </Alert>
      )}
      {error !== null && <ProblemAlert error={error} />}
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={16} />}
        loading={verification.isPending}
        onClick={() => verification.mutate()}
      >
        Verify
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} />} loading={exporting.isPending}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => exporting.mutate({ filter, format: 'csv' })}>As CSV</Menu.Item>
          <Menu.Item onClick={() => exporting.mutate({ filter, format: 'ndjson' })}>As JSON lines</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function saveFile(file: Blob, { format }: { readonly format: string }): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = `sigma-audit.${format}`;
  link.click();
  URL.revokeObjectURL(url);
}
