/** Found in a text with half of a surrogate pair: it has no UTF-8, and what encodes a URI throws at it. */
export const halfSurrogate = /\p{Surrogate}/u;
