import { Badge } from '@mantine/core';

export function EnabledBadge({ enabled }: { enabled: boolean | undefined }) {
  return enabled === false ? (
    <Badge color="gray" variant="light" tt="none">
      Disabled
    </Badge>
  ) : (
    <Badge color="green" variant="light" tt="none">
      Enabled
    </Badge>
  );
}
