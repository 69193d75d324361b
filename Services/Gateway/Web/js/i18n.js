// Words. A catalogue is flat JSON; a text is a string with {names}, or one string for each plural form.
import {base} from './env.js';

export const languages = ['ko', 'ja', 'en'];
export let lang = document.documentElement.lang;
let words = {};
let plural = new Intl.PluralRules(lang);

/// Loads a language. `xx` is English made strange, so that a test sees what was never translated.
export async function speak(code) {
  const file = languages.includes(code) ? code : 'en';
  const answer = await fetch(`${base}/i18n/${file}.json`);
  if (!answer.ok) throw new Error('no words: ' + answer.status);
  words = await answer.json();
  lang = code;
  plural = new Intl.PluralRules(file);
  // Even the same word, set anew, has the whole page looked through for what is styled by it.
  if (document.documentElement.lang !== file) document.documentElement.lang = file;
}

/// The text for a key, with its values put in. A missing key is an error, shown as such.
export function t(key, values = {}) {
  let text = words[key];
  if (text === undefined) { console.error('no text for ' + key); return '⟦' + key + '⟧'; }
  if (typeof text === 'object' && !Array.isArray(text)) text = text[plural.select(values.n)] ?? text.other;
  if (Array.isArray(text)) return text;
  text = text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  return lang === 'xx' ? '[' + text.replace(/[aeiouAEIOU]/g, (c) => 'áéíóúÁÉÍÓÚ'['aeiouAEIOU'.indexOf(c)]) + '~~]' : text;
}

/// True for a text that not every catalogue needs: a country's name.
export const has = (key) => key in words;

/// True when there are words to show.
export const spoken = () => Object.keys(words).length > 0;
