import { Text } from '@mantine/core';
import type { BatchResult } from '#client';
import { RevisionFindings } from '@/components/revision-findings';
import { doubtsOf } from '@/components/revision-outcome';
import { many, t } from '@/locales';

/** What gateways and the analysis say to a change that was tried and not made. */
export function TrialResult({ revision }: { readonly revision: BatchResult['revision'] }) {
  const { votes = [] } = revision;
  const doubts = doubtsOf(revision);
  return (
    <>
      <Text size="sm">
        {votes.length === 0
          ? t('No gateway is connected, so none was asked.')
          : many(
              votes.length,
              '{part} of {count} gateway can serve this.',
              '{part} of {count} gateways can serve this.',
              { part: votes.length - doubts.length },
            )}
      </Text>
      {doubts.map((doubt) => (
        <Text key={doubt} size="sm">
          {doubt}
        </Text>
      ))}
      <RevisionFindings revision={revision} />
    </>
  );
}
