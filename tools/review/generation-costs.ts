/** What the AI images of a month may cost the operator, by plan and model, and their section of the cost sheet. */

import type { BedrockModelId } from '../../lambda/contract/generators';
import { defaultPlans, type PlanName, planNames, planTexts } from '../../lambda/contract/plans';
import { dollars, table } from '../markdown';
import { prices } from './prices';

/** What an account pays a month, in dollars; `undefined` where it is agreed upon. */
export function priceOf(plan: PlanName): number | undefined {
  const amount = /^\$([\d.]+)/.exec(planTexts()[plan].price ?? '')?.[1];
  return amount === undefined ? undefined : Number(amount);
}

/** What the model asks for all AI images that an account may have made in a month, in dollars. */
export function monthlyCostOf(plan: PlanName, model: BedrockModelId): number {
  return defaultPlans[plan].generationsPerMonth * prices.images[model];
}

/** Markdown: each model with its dollars a month, by plan. */
export function generationCosts(): string {
  const head = planNames.map(
    (plan) => `${plan}, ${defaultPlans[plan].generationsPerMonth.toLocaleString('en')} images`,
  );
  const paid = planNames.map((plan) => {
    const price = priceOf(plan);
    return price === undefined ? (planTexts()[plan].price ?? 'none') : dollars(price);
  });
  const rows = (Object.keys(prices.images) as BedrockModelId[]).map((model) => [
    `\`${model}\``,
    ...planNames.map((plan) => {
      const [cost, price] = [monthlyCostOf(plan, model), priceOf(plan)];
      return price !== undefined && cost > price ? `${dollars(cost)}, more than it pays` : dollars(cost);
    }),
  ]);
  return `## AI images of a month, by plan

What an account costs that has all of its \`generationsPerMonth\` made:

${table(['Model', ...head], [['(the plan pays)', ...paid], ...rows])}

With a model that costs more than an account pays, lower \`generationsPerMonth\` in the setting \`plans\` to the plan's price
divided by the price of an image; likewise with a server of your own choice (\`openai-compatible\`), whose prices are not
known here. \`generationsPerDay\` bounds all accounts together.`;
}
