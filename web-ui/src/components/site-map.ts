import {
  IconChartLine,
  IconFileImport,
  IconFlask,
  IconHistory,
  IconKey,
  IconListSearch,
  IconStethoscope,
  IconTopologyStar3,
  IconUserShield,
  type Icon,
} from '@tabler/icons-react';

/** The pages besides those of resources, in groups as the navigation shows them. */
const all = [
  { group: 'Traffic', to: '/route-test', title: 'Route tester', icon: IconFlask },
  { group: 'Traffic', to: '/traffic', title: 'Traffic', icon: IconChartLine },
  { group: 'Fleet', to: '/gateways', title: 'Gateways', icon: IconTopologyStar3 },
  { group: 'Fleet', to: '/revisions', title: 'Revisions', icon: IconHistory },
  { group: 'Fleet', to: '/analysis', title: 'Analysis', icon: IconStethoscope },
  { group: 'Fleet', to: '/import', title: 'Import and export', icon: IconFileImport },
  { group: 'Access', to: '/users', title: 'Users', icon: IconUserShield },
  { group: 'Access', to: '/tokens', title: 'API tokens', icon: IconKey },
  { group: 'Access', to: '/audit', title: 'Audit log', icon: IconListSearch },
] as const satisfies readonly { group: string; to: string; title: string; icon: Icon }[];

export type SitePage = (typeof all)[number];

/** Those that somebody may see: who has access is for administrators. */
export function sitePages(admin: boolean): readonly SitePage[] {
  return all.filter(({ group }) => admin || group !== 'Access');
}

export function siteGroups(admin: boolean): readonly SitePage['group'][] {
  return [...new Set(sitePages(admin).map(({ group }) => group))];
}
