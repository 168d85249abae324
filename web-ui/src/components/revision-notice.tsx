import { List } from '@mantine/core';
import type { RevisionOutcome } from '@/components/revision-outcome';

export function RevisionNotice({ outcome }: { outcome: RevisionOutcome }) {
  return (
    <>
      <div>{outcome.summary}</div>
      {outcome.trouble.length + outcome.findings.length > 0 && (
        <List size="sm" mt={4}>
          {[...outcome.trouble, ...outcome.findings].map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      )}
    </>
  );
}
