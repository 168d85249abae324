import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { consumerGroups } from '@/lib/api/consumer-groups';

/** Names groups; those of consumers are offered, and one that no consumer is in yet can be typed. */
export function GroupsInput(props: TagsInputProps) {
  const { data = [] } = useQuery(consumerGroups);
  return <TagsInput {...props} data={[...data]} />;
}
