/** Writes the metadata of an image as XMP. */

import { escapeMarkup } from '../../base/text';
import type { ImageMetadata } from '../renderer-job';

/**
 * IPTC's term for an image that a trained model has made. Search engines and image tools read it.
 * https://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia
 */
const aiSourceType =
  '<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia</Iptc4xmpExt:DigitalSourceType>';

/** Writes an XMP packet: IPTC Photo Metadata's credit, rights, description and digital source type. */
export function writeXmp({ creditLine, aiGenerated }: ImageMetadata): string {
  // Characters that XML 1.0 does not allow are left out.
  const credit = escapeMarkup(
    creditLine.toWellFormed().replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''),
  );
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about=""
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
        xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">${aiGenerated ? 'AI-generated image. ' : ''}${credit}</rdf:li></rdf:Alt></dc:description>
      <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${credit}</rdf:li></rdf:Alt></dc:rights>
      <photoshop:Credit>${credit}</photoshop:Credit>
      ${aiGenerated ? aiSourceType : ''}
    </rdf:Description>
  </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
}
