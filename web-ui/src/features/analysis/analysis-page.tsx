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
import { number, t } from '@/locales';
import { translateServer } from '@/locales/server';

const columns: readonly Column<Finding>[] = [
  { header: t('Severity'), width: 130, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  {
    header: t('Resource'),
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
    header: t('Finding'),
    cell: ({ detail, rule, pointer }) => (
      <>
        <Text size="sm">{translateServer(detail)}</Text>
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
    header: t('Others'),
    width: 180,
    cell: ({ others = [] }) =>
      others.map(({ kind, id }) => (
        <div key={`${kind} ${id}`}>
          <ResourceLink kind={kindOf(kind)} id={id} />
        </div>
      )),
  },
];

function counted(name: string, count: number | undefined): string {
  return count === undefined ? name : t('{name} ({count})', { name, count: number(count) });
}

interface AnalysisPageProps {
  readonly severity: Severity | undefined;
  readonly onSeverity: (severity: Severity | undefined) => void;
}

const ALL = 'ALL';
const noneOf: Readonly<Record<Severity, string>> = {
  ERROR: t('No errors'),
  WARNING: t('No warnings'),
  INFO: t('No infos'),
};

export function AnalysisPage({ severity, onSeverity }: AnalysisPageProps) {
  const query = useInfiniteQuery(listFindings({ severity }));
  const counts = query.data?.pages[0];
  return (
    <>
      <PageHeader
        title={t('Analysis')}
        subtitle={t('Likely mistakes in the newest revision. They do not block it.')}
        actions={
          <SegmentedControl
            aria-label={t('Severity')}
            value={severity ?? ALL}
            onChange={(value) => onSeverity(value === ALL ? undefined : value)}
            data={[
              { value: ALL, label: t('All') },
              { value: 'ERROR', label: counted(t('Errors'), counts?.errors) },
              { value: 'WARNING', label: counted(t('Warnings'), counts?.warnings) },
              { value: 'INFO', label: counted(t('Info'), counts?.infos) },
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
            <EmptyState title={t('No findings')}>
              {t('No route is shadowed, no resource is unused, no certificate expires soon.')}
            </EmptyState>
          ) : (
            <EmptyState
              title={noneOf[severity]}
              action={
                <Button variant="default" onClick={() => onSeverity(undefined)}>
                  {t('Show all findings')}
                </Button>
              }
            >
              {t('Only this severity is shown.')}
            </EmptyState>
          )
        }
      />
    </>
  );
}
