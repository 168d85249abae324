import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';

export function NotFoundPage() {
  return (
    <EmptyState
      title="There is no such page"
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
          To the overview
        </Button>
      }
    >
      The address may be mistyped, or the resource no longer exists.
    </EmptyState>
  );
}
