import { Button, SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Finding, Severity } from '#client';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { PagedTable } from '@/components/paged-table';
import { ResourceLink } from '@/components/resource-link';
import { SeverityBadge } from '@/components/severity-badge';
import { listFindings } from '@/lib/api/list-findings';
import { capitalized, kindOf, kinds } from '@/lib/kinds';

const columns: readonly Column<Finding>[] = [
  { header: 'Severity', width: 130, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  {
    header: 'Resource',
    width: 220,
    cell: ({ kind, id }) => (
      <>
        <Text size="xs" c="dimmed">
          {capitalized(kinds[kindOf(kind)].singular)}
        </Text>
        <ResourceLink kind={kindOf(kind)} id={id} />
      </>
    ),
  },
  {
    header: 'Finding',
    cell: ({ detail, rule, pointer }) => (
      <>
        <Text size="sm">{detail}</Text>
        <Text size="xs" c="dimmed">
          {rule}
          {pointer !== '' && (
            <>
              {' · '}
              <Mono>{pointer}</Mono>
            </>
          )}
        </Text>
      </>
    ),
  },
  {
    header: 'Others',
    width: 180,
    cell: ({ others = [] }) =>
      others.map(({ kind, id }) => (
        <div key={`${kind} ${id}`}>
          <ResourceLink kind={kindOf(kind)} id={id} />
        </div>
      )),
  },
];

interface AnalysisPageProps {
  readonly severity: Severity | undefined;
  readonly onSeverity: (severity: Severity | undefined) => void;
}

const ALL = 'ALL';
const severityNames: Readonly<Record<Severity, string>> = {
  ERROR: 'errors',
  WARNING: 'warnings',
  INFO: 'infos',
};

export function AnalysisPage({ severity, onSeverity }: AnalysisPageProps) {
  const query = useInfiniteQuery(listFindings({ severity }));
  const counts = query.data?.pages[0];
  return (
    <>
      <PageHeader
        title="Analysis"
        subtitle="Likely mistakes in the newest revision. They do not block it."
        actions={
          <SegmentedControl
            aria-label="Severity"
            value={severity ?? ALL}
            onChange={(value) => onSeverity(value === ALL ? undefined : value)}
            data={[
              { value: ALL, label: 'All' },
              { value: 'ERROR', label: `Errors${counts === undefined ? '' : ` (${counts.errors})`}` },
              { value: 'WARNING', label: `Warnings${counts === undefined ? '' : ` (${counts.warnings})`}` },
              { value: 'INFO', label: `Info${counts === undefined ? '' : ` (${counts.infos})`}` },
            ]}
          />
        }
      />
      <PagedTable
        query={query}
        columns={columns}
        rowKey={({ kind, id, rule, pointer, detail }) => `${kind} ${id} ${rule} ${pointer} ${detail}`}
        minWidth={720}
        empty={
          severity === undefined ? (
            <EmptyState title="No findings">
              No route is shadowed, no resource is unused, no certificate expires soon.
            </EmptyState>
          ) : (
            <EmptyState
              title={`No ${severityNames[severity]}`}
              action={
                <Button variant="default" onClick={() => onSeverity(undefined)}>
                  Show all findings
                </Button>
              }
            >
              Only this severity is shown.
            </EmptyState>
          )
        }
      />
    </>
  );
}
