import { List } from '@mantine/core';
import type { RevisionOutcome } from '@/components/revision-outcome';

export function RevisionNotice({ outcome }: { outcome: RevisionOutcome }) {
  const lines = [...outcome.trouble, ...outcome.doubts, ...outcome.findings];
  return (
    <>
      <div>{outcome.summary}</div>
      {lines.length > 0 && (
        <List size="sm" mt={4}>
          {lines.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      )}
    </>
  );
}
