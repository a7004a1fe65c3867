export const languages = ['es', 'en'] as const;
export type Language = (typeof languages)[number];

const languageNamed = (tag: string) => languages.find((language) => language === tag);

/**
 * The language of the page: the one asked for by `?lang=`, else the browser's favourite among ours, else Spanish.
 * `acceptLanguage` is the header of that name.
 */
export function chooseLanguage(acceptLanguage: string | undefined, lang?: string): Language {
  return languageNamed(lang ?? '') ?? preferredOf(acceptLanguage ?? '') ?? 'es';
}

function preferredOf(acceptLanguage: string): Language | undefined {
  const wishes = acceptLanguage.split(',', 50).map((wish) => {
    const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return { language: languageNamed(tag.split('-')[0] ?? ''), quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
  // The sort keeps the order of equals, so the one named first wins.
  const [best] = wishes.filter((wish) => wish.quality > 0 && wish.language).toSorted((a, b) => b.quality - a.quality);
  return best?.language;
}
