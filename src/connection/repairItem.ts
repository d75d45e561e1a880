import { isTextType, parseMediaType } from '../base/mediaType';
import { repairBlob } from './base64';
import { Draft, isJsonObject, type JsonObject } from './draft';
import { dropUnlessText, repairMeta } from './repairEntry';
import { type Note, shown } from './repairNotes';
import { withCarried } from './reservedMeta';

/** Hears what was mended and what could not be. */
export interface ItemNotes {
  mended: Note;
  failed: Note;
}

type Blob = { readonly base64: string; readonly mimeType?: string } | { readonly failure: string } | undefined;

/**
 * An item of a read's answer as items that the SDK accepts (specification: server/resources, reading). `asked` is the
 * URI of the request. An item with `text` and `blob` becomes two: the text, then the blob as a part of its own, because
 * the schemas are a choice of one and the SDK would take the text and lose the blob. What cannot be mended becomes a
 * failed item.
 */
export function repairItem(item: unknown, asked: string, notes: ItemNotes): readonly JsonObject[] {
  if (typeof item === 'string') {
    notes.mended('the item, a string, became its text');
    return [{ uri: asked, text: item }];
  }
  if (!isJsonObject(item)) {
    return [failedItem({ uri: asked }, `it is ${shown(item)}`, notes)];
  }
  const draft = new Draft(item);
  const { uri } = item;
  if (typeof uri !== 'string' || uri === '') {
    draft.set('uri', asked);
    notes.mended(
      uri === undefined ? 'no uri: it became the one asked for' : `the uri ${shown(uri)} became the one asked for`,
    );
  }
  dropUnlessText(draft, ['mimeType'], notes.mended);
  repairMeta(draft, notes.mended);
  const text = textOf(draft, notes.mended);
  const blob = blobOf(item.blob, notes.mended);
  if (text === undefined) {
    return blob === undefined
      ? [failedItem(draft.value, 'it holds neither text nor binary data', notes)]
      : [blobItem(draft, blob, notes)];
  }
  if (item.blob === undefined) {
    return [draft.value];
  }
  return textAndBlob(draft, text, blob, notes);
}

/** An item that stands for one which could not be mended. */
export function failedItem(item: JsonObject, failure: string, notes: ItemNotes): JsonObject {
  notes.failed(failure);
  const { uri, mimeType, _meta } = item;
  return { uri, ...(mimeType === undefined ? {} : { mimeType }), text: '', _meta: withCarried(_meta, { failure }) };
}

/** The text; what is not a string becomes one, and an object its JSON. */
function textOf(draft: Draft, note: Note): string | undefined {
  const text = draft.get('text');
  if (typeof text === 'string' || text === undefined) {
    return text;
  }
  if (text === null) {
    draft.drop('text');
    return undefined;
  }
  const made = JSON.stringify(text);
  draft.set('text', made);
  if (typeof text === 'object' && draft.get('mimeType') === undefined) {
    draft.set('mimeType', 'application/json');
  }
  note(`the text, ${typeof text === 'object' ? shown(text) : `a ${typeof text}`}, became a string`);
  return made;
}

function blobOf(value: unknown, note: Note): Blob {
  if (value === undefined || value === null) {
    return undefined;
  }
  const repaired = repairBlob(value);
  if ('base64' in repaired && repaired.mended !== undefined) {
    note(repaired.mended);
  }
  return repaired;
}

function blobItem(draft: Draft, blob: NonNullable<Blob>, notes: ItemNotes): JsonObject {
  if ('failure' in blob) {
    return failedItem(draft.value, blob.failure, notes);
  }
  draft.drop('text');
  draft.set('blob', '');
  draft.set('_meta', withCarried(draft.get('_meta'), { blob: blob.base64 }));
  if (draft.get('mimeType') === undefined && blob.mimeType !== undefined) {
    draft.set('mimeType', blob.mimeType);
  }
  return draft.value;
}

/** Both are there: an empty one is no more than a server's way to say "none", and twice the same is one. */
function textAndBlob(draft: Draft, text: string, blob: Blob, notes: ItemNotes): readonly JsonObject[] {
  const textOnly = new Draft(draft.value);
  textOnly.drop('blob');
  if (blob === undefined) {
    return [textOnly.value];
  }
  if (text === '') {
    notes.mended('the empty text beside the blob was dropped');
    return [blobItem(draft, blob, notes)];
  }
  if ('base64' in blob && (blob.base64 === '' || blob.base64 === Buffer.from(text, 'utf8').toString('base64'))) {
    notes.mended(`the blob beside the text ${blob.base64 === '' ? 'is empty' : 'says the same'} and was dropped`);
    return [textOnly.value];
  }
  notes.mended('both text and blob: the blob became a part of its own after the text');
  const blobOnly = new Draft(draft.value);
  blobOnly.drop('text');
  // The one type belongs to the one that it fits.
  const type = draft.get('mimeType');
  const essence = typeof type === 'string' ? parseMediaType(type)?.essence : undefined;
  (essence === undefined || isTextType(essence) ? blobOnly : textOnly).drop('mimeType');
  return [textOnly.value, blobItem(blobOnly, blob, notes)];
}
