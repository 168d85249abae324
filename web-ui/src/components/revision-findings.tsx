import { Text } from '@mantine/core';
import type { RevisionResult } from '#client';
import { notAnalysed } from '@/components/revision-outcome';
import { SeverityBadge } from '@/components/severity-badge';
import { translateServer } from '@/locales/server';

/** The findings that a revision adds, or would add. */
export function RevisionFindings({ revision }: { revision: Pick<RevisionResult, 'findings' | 'analysed'> }) {
  const { findings = [], analysed } = revision;
  return (
    <>
      {findings.map(({ kind, id, rule, severity, detail }) => (
        <Text key={`${kind} ${id} ${rule} ${detail}`} size="sm" component="div">
          <SeverityBadge severity={severity} /> {id}: {translateServer(detail)}
        </Text>
      ))}
      {analysed === false && (
        <Text size="sm" c="dimmed">
          {notAnalysed()}
        </Text>
      )}
    </>
  );
}
