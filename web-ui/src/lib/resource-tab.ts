/** The parts of the page of a resource, as its address names them. */
export const resourceTabs = ['summary', 'edit', 'plugins', 'traffic', 'history', 'json'] as const;
export type ResourceTab = (typeof resourceTabs)[number];

export function resourceTabOf(text: unknown): ResourceTab | undefined {
  return resourceTabs.find((tab) => tab === text);
}
