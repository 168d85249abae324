import {
  IconActivity,
  IconChartLine,
  IconFileImport,
  IconFlask,
  IconHistory,
  IconKey,
  IconListSearch,
  IconRocket,
  IconSitemap,
  IconStack2,
  IconStethoscope,
  IconTopologyStar3,
  IconUserShield,
  type Icon,
} from '@tabler/icons-react';
import { useHasRole } from '@/lib/session';

/** The pages besides those of resources, in groups as the navigation shows them. */
const all = [
  { group: 'Traffic', to: '/expose', title: 'Expose a service', icon: IconRocket },
  { group: 'Traffic', to: '/topology', title: 'Topology', icon: IconSitemap },
  { group: 'Traffic', to: '/route-test', title: 'Route tester', icon: IconFlask },
  { group: 'Traffic', to: '/traffic', title: 'Traffic', icon: IconChartLine },
  { group: 'Traffic', to: '/requests', title: 'Last requests', icon: IconActivity },
  { group: 'Fleet', to: '/gateways', title: 'Gateways', icon: IconTopologyStar3 },
  { group: 'Fleet', to: '/revisions', title: 'Revisions', icon: IconHistory },
  { group: 'Fleet', to: '/staged', title: 'Staged changes', icon: IconStack2 },
  { group: 'Fleet', to: '/analysis', title: 'Analysis', icon: IconStethoscope },
  { group: 'Fleet', to: '/import', title: 'Import and export', icon: IconFileImport },
  { group: 'Access', to: '/users', title: 'Users', icon: IconUserShield },
  { group: 'Access', to: '/tokens', title: 'API tokens', icon: IconKey },
  { group: 'Access', to: '/audit', title: 'Audit log', icon: IconListSearch },
] as const satisfies readonly { group: string; to: string; title: string; icon: Icon }[];

export type SitePage = (typeof all)[number];

/** Those that the role of the user allows: viewers change nothing, and who has access is for administrators. */
export function useSitePages(): readonly SitePage[] {
  const admin = useHasRole('ADMIN');
  const editor = useHasRole('EDITOR');
  return all.filter(
    ({ group, to }) => (admin || group !== 'Access') && (editor || (to !== '/expose' && to !== '/staged')),
  );
}
