// What showings are told apart by, in groups that people know: Paint/ShowingKind.swift has the same.
const kinds = {
  subtitles: ['subtitled'],
  language: ['original-version', 'dubbed'],
  format: ['4k', '35mm', '70mm', '16mm', 'imax', '3d', '4dx', 'dolby', 'restored', 'black-and-white'],
  access: ['captioned', 'audio-description', 'sign-language', 'relaxed', 'baby'],
};

/// Of these attributes those of each kind, in their order: [[kind, members]]; those of one name stand together.
export const byKind = (attributes) => Object.entries(kinds)
  .map(([kind, names]) => [kind, names.flatMap((name) => [...new Set(attributes)].filter((one) => one === name || one.startsWith(name + ':')).sort())])
  .filter(([, members]) => members.length);

/// What kinds of films there are, as the API's `genre` has them.
export const genres = ['action', 'adventure', 'animation', 'comedy', 'crime', 'documentary', 'drama', 'family', 'fantasy', 'history', 'horror', 'music', 'mystery',
  'romance', 'science-fiction', 'thriller', 'war', 'western'];
