/** The manifests that a model wrote into its image: kept as an ingredient of the manifest that says what became of it. */

import { createHash } from 'node:crypto';
import {
  type Action,
  ActionType,
  type Asset,
  type CBORBox,
  IngredientAssertion,
  type Manifest,
  ManifestStore,
  RelationshipType,
  SuperBox,
  ValidationStatusCode,
} from './library';

/** The manifests of a model's image; `undefined` where there are none that can be read. */
export function manifestsIn(master: Asset | undefined): ManifestStore | undefined {
  try {
    const jumbf = master?.getManifestJUMBF();
    return jumbf && ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf)));
  } catch {
    return undefined;
  }
}

/** The active manifest of a store as the ingredient of one that is added to the store. */
export interface Ingredient {
  /** What making it one has done to the store. */
  readonly actions: readonly Action[];
  addTo(manifest: Manifest): void;
}

/**
 * Checks the active manifest of a store against its image, which has to be done before another one is added.
 * @param keepsThumbnails whether the store keeps its thumbnails, which are most of its bytes
 */
export async function ingredientOf(
  store: ManifestStore,
  master: Asset,
  keepsThumbnails: boolean,
): Promise<Ingredient | undefined> {
  const original = store.getActiveManifest();
  const signature = original?.signature?.sourceBox;
  if (!original || !signature) return undefined;
  const at = `self#jumbf=/c2pa/${original.label}`;
  const { statusEntries } = await store.validate(master);
  const statuses = (success: boolean) =>
    statusEntries
      .filter((each) => each.success === success && !/^(?:signingCredential|timeStamp)\./.test(each.code))
      .map(({ code, url }) => ({ code, ...(url && { url }) }));
  // Whom to trust is for whoever reads the image; the library takes any chain that is complete.
  const untrusted = { code: ValidationStatusCode.SigningCredentialUntrusted, url: `${at}/c2pa.signature` };
  const redacted = keepsThumbnails ? [] : removeThumbnails(store);

  return {
    actions: redacted.map((uri) => ({
      action: ActionType.C2paRedacted,
      reason: 'image-redirect.size',
      parameters: { redacted: uri },
    })),
    addTo(manifest) {
      const ingredient = IngredientAssertion.createV3(RelationshipType.InputTo);
      ingredient.activeManifest = manifest.createHashedReference(`/c2pa/${original.label}`);
      // The library would hash a signature that it writes anew.
      const hash = createHash('sha256').update(signature.toBuffer()).digest();
      ingredient.claimSignature = { uri: untrusted.url, hash, algorithm: 'SHA-256' };
      ingredient.validationResults = {
        activeManifest: {
          success: statuses(true),
          informational: [],
          failure: [untrusted, ...statuses(false)],
        },
      };
      manifest.addAssertion(ingredient);
      if (redacted.length > 0) redact(manifest, redacted);
    },
  };
}

/** @returns the URIs of what was removed */
function removeThumbnails({ manifests }: ManifestStore): string[] {
  const redacted: string[] = [];
  for (const { label, assertions } of manifests) {
    const box = assertions?.sourceBox;
    if (!box) continue;
    box.contentBoxes = box.contentBoxes.filter((each) => {
      const name = (each as SuperBox).descriptionBox?.label ?? '';
      if (!name.startsWith('c2pa.thumbnail')) return true;
      redacted.push(`self#jumbf=/c2pa/${label}/c2pa.assertions/${name}`);
      return false;
    });
  }
  return redacted;
}

/** Says in a claim what was removed from the manifests before it. */
function redact({ claim }: Manifest, uris: readonly string[]): void {
  if (!claim) return;
  const generate = claim.generateJUMBFBox.bind(claim);
  claim.generateJUMBFBox = () => {
    const box = generate();
    const content = box.contentBoxes[0] as CBORBox;
    // The library writes them with hashes; what is gone has none.
    (content.content as { redacted_assertions: readonly string[] }).redacted_assertions = uris;
    content.generateRawContent();
    return box;
  };
}
