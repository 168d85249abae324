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
import { EXPOSED, useHasRole, useMayWrite } from '@/lib/session';
import { t } from '@/locales';

const groups = {
  traffic: () => t('Traffic'),
  fleet: () => t('Fleet'),
  access: () => t('Access'),
};

/** The pages besides those of resources, in groups as the navigation shows them. */
const all = [
  { group: 'traffic', to: '/expose', title: () => t('Expose a service'), icon: IconRocket },
  { group: 'traffic', to: '/topology', title: () => t('Topology'), icon: IconSitemap },
  { group: 'traffic', to: '/route-test', title: () => t('Route tester'), icon: IconFlask },
  { group: 'traffic', to: '/traffic', title: () => t('Traffic'), icon: IconChartLine },
  { group: 'traffic', to: '/requests', title: () => t('Last requests'), icon: IconActivity },
  { group: 'fleet', to: '/gateways', title: () => t('Gateways'), icon: IconTopologyStar3 },
  { group: 'fleet', to: '/revisions', title: () => t('Revisions'), icon: IconHistory },
  { group: 'fleet', to: '/staged', title: () => t('Staged changes'), icon: IconStack2 },
  { group: 'fleet', to: '/analysis', title: () => t('Analysis'), icon: IconStethoscope },
  { group: 'fleet', to: '/import', title: () => t('Import and export'), icon: IconFileImport },
  { group: 'access', to: '/users', title: () => t('Users'), icon: IconUserShield },
  { group: 'access', to: '/tokens', title: () => t('API tokens'), icon: IconKey },
  { group: 'access', to: '/audit', title: () => t('Audit log'), icon: IconListSearch },
] as const satisfies readonly { group: keyof typeof groups; to: string; title: () => string; icon: Icon }[];

export interface SitePage {
  readonly group: string;
  readonly to: (typeof all)[number]['to'];
  readonly title: string;
  readonly icon: Icon;
}

/** Those that the role or the token of the user allows: viewers change nothing, and who has access is for administrators. */
export function useSitePages(): readonly SitePage[] {
  const admin = useHasRole('ADMIN');
  const mayWrite = useMayWrite();
  const mayExpose = mayWrite(...EXPOSED);
  return all
    .filter(
      ({ group, to }) =>
        (admin || group !== 'access') && (mayExpose || to !== '/expose') && (mayWrite() || to !== '/staged'),
    )
    .map(({ group, title, ...page }) => ({ ...page, group: groups[group](), title: title() }));
}
