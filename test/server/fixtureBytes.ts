/** Pseudo-random bytes, always the same for the same count: the server sends them and the test expects them. */
export function fixtureBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  let state = 0x9e3779b9;
  for (let index = 0; index < count; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state & 0xff;
  }
  return bytes;
}
