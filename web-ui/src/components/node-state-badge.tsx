import { Badge } from '@mantine/core';
import type { NodeState } from '#client';
import { nodeStateLooks } from '@/components/node-state-looks';

export function NodeStateBadge({ state }: { state: NodeState }) {
  const { color, Icon, text, meaning } = nodeStateLooks[state];
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      miw="max-content"
      leftSection={<Icon size={13} aria-hidden />}
      title={meaning}
    >
      {text}
    </Badge>
  );
}
