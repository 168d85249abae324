import { Button, Group, Paper, SegmentedControl, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Finding, Severity } from '#client';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { QueryView } from '@/components/query-view';
import { ResourceLink } from '@/components/resource-link';
import { SeverityBadge } from '@/components/severity-badge';
import { listFindings } from '@/lib/api/list-findings';
import { capitalized, kindOf, kinds } from '@/lib/kinds';

interface AnalysisPageProps {
  readonly severity: Severity | undefined;
  readonly onSeverity: (severity: Severity | undefined) => void;
}

const ALL = 'ALL';

export function AnalysisPage({ severity, onSeverity }: AnalysisPageProps) {
  const query = useInfiniteQuery(listFindings({ severity }));
  const counts = query.data?.pages[0];
  return (
    <>
      <PageHeader
        title="Analysis"
        subtitle="What is odd about the newest revision though it is valid. Nothing here blocks anything."
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
      <Paper withBorder>
        <QueryView query={query}>
          {({ pages }) => {
            const findings = pages.flatMap((page) => page.items);
            return findings.length === 0 ? (
              <EmptyState title="Nothing odd">
                No route is shadowed, nothing is unused, no certificate is about to expire.
              </EmptyState>
            ) : (
              <Findings findings={findings} />
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

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <Table.ScrollContainer minWidth={720} type="native">
      <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={130}>Severity</Table.Th>
            <Table.Th w={220}>Resource</Table.Th>
            <Table.Th>What is odd</Table.Th>
            <Table.Th w={180}>Others</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {findings.map((finding) => (
            <Table.Tr
              key={`${finding.kind} ${finding.id} ${finding.rule} ${finding.pointer} ${finding.detail}`}
            >
              <Table.Td>
                <SeverityBadge severity={finding.severity} />
              </Table.Td>
              <Table.Td>
                <Text size="xs" c="dimmed">
                  {capitalized(kinds[kindOf(finding.kind)].singular)}
                </Text>
                <ResourceLink kind={kindOf(finding.kind)} id={finding.id} />
              </Table.Td>
              <Table.Td>
                <Text size="sm">{finding.detail}</Text>
                <Text size="xs" c="dimmed">
                  {finding.rule}
                  {finding.pointer !== '' && (
                    <>
                      {' · '}
                      <Mono>{finding.pointer}</Mono>
                    </>
                  )}
                </Text>
              </Table.Td>
              <Table.Td>
                {finding.others?.map((other) => (
                  <div key={`${other.kind} ${other.id}`}>
                    <ResourceLink kind={kindOf(other.kind)} id={other.id} />
                  </div>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
