import { SimpleGrid, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { AttentionCard } from '@/features/overview/attention-card';
import { FirstSteps } from '@/features/overview/first-steps';
import { FleetCard } from '@/features/overview/fleet-card';
import { LatestRevisionsCard } from '@/features/overview/latest-revisions-card';
import { NowFigures } from '@/features/overview/now-figures';
import { TrafficPath } from '@/features/overview/traffic-path';
import { countResources } from '@/lib/api/count-resources';
import { trafficKinds, type Kind } from '@/lib/kinds';
import { t } from '@/locales';

export function OverviewPage() {
  const queries = useQueries({ queries: trafficKinds.map((kind) => countResources(kind)) });
  const counts = new Map<Kind, number>();
  trafficKinds.forEach((kind, index) => {
    const count = queries[index]?.data;
    if (count !== undefined) {
      counts.set(kind, count);
    }
  });
  const failed = queries.find((query) => query.error !== null && query.data === undefined);
  const everything = counts.size === trafficKinds.length;
  const lacking = everything && [...counts.values()].some((count) => count === 0);

  return (
    <>
      <PageHeader
        title={t('Overview')}
        subtitle={t('Problems, the configuration, and the latest changes.')}
      />
      <Stack gap="lg">
        {failed?.error && (
          <ProblemAlert
            error={failed.error}
            onRetry={() => queries.forEach((query) => void query.refetch())}
          />
        )}
        {lacking && <FirstSteps counts={counts} />}
        {!lacking && (
          <>
            <NowFigures />
            <AttentionCard />
          </>
        )}
        <TrafficPath counts={counts} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <FleetCard />
          <LatestRevisionsCard />
        </SimpleGrid>
      </Stack>
    </>
  );
}
