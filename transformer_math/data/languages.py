"""Codes and names of languages, by which the header of a table of translations is recognized."""

import re

# The codes of ISO 639-1, 639-2 and 639-3, and the English names of the Unicode CLDR. Codes of three
# letters that are English words, such as "cat", are left out, as they may be text of a pair.
_LANGUAGES = """
aa aar Afar; ab abk Abkhazian; ae ave Avestan; af afr Afrikaans; ak aka Akan; am amh Amharic; an
arg Aragonese; ar ara Arabic; as asm Assamese; av ava Avaric; ay aym Aymara; az aze Azerbaijani;
ba bak Bashkir; be bel Belarusian; bg bul Bulgarian; bi bis Bislama; bm bam Bambara; bn ben
Bangla; bo bod tib Tibetan; br bre Breton; bs bos Bosnian; ca Catalan; ce che Chechen; ch cha
Chamorro; co Corsican; cr cre Cree; cs ces cze Czech; cu chu Church Slavic; cv chv Chuvash; cy cym
wel Welsh; da dan Danish; de deu ger German; dv Divehi; dz dzo Dzongkha; ee Ewe; el ell gre Greek;
en eng English; eo epo Esperanto; es spa Spanish; et est Estonian; eu eus baq Basque; fa fas per
Persian; ff ful Fula; fi Finnish; fj fij Fijian; fo fao Faroese; fr fra fre French; fy fry Western
Frisian; ga gle Irish; gd gla Scottish Gaelic; gl glg Galician; gn grn Guarani; gu guj Gujarati;
gv glv Manx; ha hau Hausa; he heb Hebrew; hi hin Hindi; ho hmo Hiri Motu; hr hrv Croatian; ht
Haitian Creole; hu hun Hungarian; hy hye arm Armenian; hz Herero; ia ina Interlingua; id ind
Indonesian; ie ile Interlingue; ig ibo Igbo; ii iii Sichuan Yi; ik ipk Inupiaq; io ido Ido; is isl
ice Icelandic; it ita Italian; iu iku Inuktitut; ja jpn Japanese; jv jav Javanese; ka kat geo
Georgian; kg kon Kongo; ki kik Kikuyu; kj kua Kuanyama; kk kaz Kazakh; kl kal Kalaallisut; km khm
Khmer; kn kan Kannada; ko kor Korean; kr kau Kanuri; ks kas Kashmiri; ku kur Kurdish; kv kom Komi;
kw cor Cornish; ky kir Kyrgyz; la Latin; lb ltz Luxembourgish; lg lug Ganda; li lim Limburgish; ln
lin Lingala; lo lao Lao; lt lit Lithuanian; lu lub Luba-Katanga; lv lav Latvian; mg mlg Malagasy;
mh mah Marshallese; mi mri mao Māori; mk mkd mac Macedonian; ml mal Malayalam; mn Mongolian; mr
Marathi; ms msa Malay; mt mlt Maltese; my mya bur Burmese; na nau Nauru; nb nob Norwegian Bokmål;
nd nde North Ndebele; ne nep Nepali; ng ndo Ndonga; nl nld dut Dutch; nn nno Norwegian Nynorsk; no
Norwegian; nr nbl South Ndebele; nv nav Navajo; ny nya Nyanja; oc oci Occitan; oj oji Ojibwa; om
orm Oromo; or ori Odia; os oss Ossetic; pa Punjabi; pi pli Pali; pl pol Polish; ps pus Pashto; pt
por Portuguese; qu que Quechua; rm roh Romansh; rn Rundi; ro ron rum Romanian; ru rus Russian; rw
kin Kinyarwanda; sa Sanskrit; sc srd Sardinian; sd snd Sindhi; se sme Northern Sami; sg Sango; sh
hbs Serbo-Croatian; si Sinhala; sk slk slo Slovak; sl slv Slovenian; sm smo Samoan; sn sna Shona;
so som Somali; sq sqi alb Albanian; sr srp Serbian; ss ssw Swati; st Southern Sotho; su Sundanese;
sv swe Swedish; sw swa Swahili; ta Tamil; te tel Telugu; tg tgk Tajik; th tha Thai; ti tir
Tigrinya; tk tuk Turkmen; tl tgl Tagalog; tn tsn Tswana; to Tongan; tr tur Turkish; ts tso Tsonga;
tt Tatar; tw twi Twi; ty tah Tahitian; ug uig Uyghur; uk ukr Ukrainian; ur urd Urdu; uz uzb Uzbek;
ve ven Venda; vi Vietnamese; vo Volapük; wa wln Walloon; wo wol Wolof; xh xho Xhosa; yi yid
Yiddish; yo yor Yoruba; za zha Zhuang; zh zho chi Chinese; zu zul Zulu
"""
_CODE_WITH_REGION = re.compile(r"([a-z]{2,3})[-_](?:[A-Za-z]{2}|[A-Za-z]{4}|[0-9]{3})")


def language(label: str) -> str | None:
    """Return a language's code, given a code such as ``fr``, ``fra`` or ``fr-CA``, or a name.

    None if the label is not a language.
    """
    found = _CODE_WITH_REGION.fullmatch(label)
    return _CODES.get(found[1] if found else label.lower())


def _codes() -> dict[str, str]:
    """Return the first code of each language, by its codes and its name."""
    found = {}
    for entry in _LANGUAGES.split(";"):
        words = entry.split()
        codes = [word for word in words if word.islower()]
        name = " ".join(word for word in words if not word.islower())
        found.update(dict.fromkeys([*codes, name.lower()], codes[0]))
    return found


_CODES = _codes()
