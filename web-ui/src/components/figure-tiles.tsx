import { Paper, SimpleGrid, Text, type SimpleGridProps } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FigureTile {
  readonly name: string;
  readonly value: string;
  /** What the value is of. */
  readonly more: string;
  /** Whether it asks for attention. */
  readonly bad?: boolean;
  readonly picture?: ReactNode;
}

/** A few figures at a glance. */
export function FigureTiles({
  tiles,
  cols,
}: {
  readonly tiles: readonly FigureTile[];
  readonly cols: SimpleGridProps['cols'];
}) {
  return (
    <SimpleGrid component="dl" cols={cols} spacing="sm" m={0}>
      {tiles.map(({ name, value, more, bad = false, picture }) => (
        <Paper key={name} withBorder px="md" py="sm">
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fw={650} size="xl" c={bad ? 'var(--mantine-color-error)' : undefined}>
            {value}
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {more}
          </Text>
          {picture}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
