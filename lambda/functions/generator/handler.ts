/** The generator function: makes one image that a request has acquired. */

import type { Ids } from '../../base/clock';
import { deadlineAt } from '../../base/deadline';
import { type GenerateServices, type GenerationJob, generate } from '../../generation/generate';
import { type InvokedHandler, invokedHandler } from '../start-function';

/** What the generator works with; each invocation has a deadline of its own. */
type GeneratorServices = Omit<GenerateServices, 'deadline'> & { readonly ids: Pick<Ids, 'hex'> };

/** What it could not finish, Lambda counts as an error, and the lease of the image ends by itself. */
export function generatorHandler(services: GeneratorServices): InvokedHandler<void> {
  return invokedHandler(services, 'A generation was left unfinished', (job: GenerationJob, endsMs) =>
    generate({ ...services, deadline: deadlineAt(endsMs) }, job, services.ids.hex(8), endsMs),
  );
}
