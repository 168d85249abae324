import { resourceForms } from '@/features/resources/resource-forms';
import { hasSummary } from '@/features/resources/resource-summaries';
import { resourceTabs, type ResourceTab } from '@/lib/resource-tab';
import type { Kind } from '@/lib/kinds';
import { t } from '@/locales';

export const tabNames: Readonly<Record<ResourceTab, string>> = {
  summary: t('Summary'),
  edit: t('Edit'),
  plugins: t('Plugins'),
  traffic: t('Traffic'),
  history: t('History'),
  json: 'JSON/YAML',
};

/** Returns the tabs that the page of a kind has; the first one is shown unless the address names another. */
export function tabsOf(kind: Kind): readonly ResourceTab[] {
  return resourceTabs.filter(
    (tab) =>
      (tab !== 'summary' || hasSummary(kind)) &&
      (tab !== 'plugins' || hasPlugins(kind)) &&
      (tab !== 'traffic' || kind === 'routes' || kind === 'upstreams'),
  );
}

function hasPlugins(kind: Kind): boolean {
  return resourceForms[kind].fields.plugins !== undefined;
}
