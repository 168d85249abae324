import type { RouteComponent } from '@tanstack/react-router';
import type { Role } from '#client';
import { showing } from '@/app/pages';
import { RoleGate } from '@/features/session/role-gate';

/** Shows a page to those who have a role. */
export function forRole(least: Role, Page: RouteComponent): RouteComponent {
  return showing(Page, () => (
    <RoleGate least={least}>
      <Page />
    </RoleGate>
  ));
}
