import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
  /** What may have been meant. */
  readonly more?: ReactNode;
}

export function EmptyState({ title, children, action, more }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw={460} size="sm">
        {children}
      </Text>
      {more}
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
