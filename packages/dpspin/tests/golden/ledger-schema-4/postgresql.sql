CREATE FUNCTION golden.cap_covers_what_is_spent() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM overspent) THEN RAISE EXCEPTION 'the cap is below what is spent' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_fits_its_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.scope_id AND kind = 'dataset' AND (NEW.part IS NULL OR partition IS NOT NULL)) THEN RAISE EXCEPTION 'a charge goes to a dataset, and a window to a declared partition' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_is_affordable() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM overspent) THEN RAISE EXCEPTION 'the charge exceeds the cap' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_is_of_one_kind() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM scope AS payer WHERE payer.id IN (NEW.scope_id, (SELECT population_id FROM scope WHERE id = NEW.scope_id)) AND (payer.unit <> NEW.unit OR payer.adjacency <> NEW.adjacency)) OR EXISTS (SELECT 1 FROM entry AS earlier JOIN scope AS member ON member.id = earlier.scope_id WHERE (member.id = NEW.scope_id OR member.population_id = (SELECT population_id FROM scope WHERE id = NEW.scope_id)) AND (earlier.unit <> NEW.unit OR earlier.adjacency <> NEW.adjacency)) THEN RAISE EXCEPTION 'an account adds up losses about the same neighbours only' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_names_its_users() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF (NEW.unit = 'user' AND NOT EXISTS (SELECT 1 FROM declaration JOIN scope AS payer ON payer.name = declaration.dataset WHERE payer.id = NEW.scope_id AND payer.kind = 'dataset' AND declaration.subject = 'user_column' AND declaration.value = NEW.user_column)) OR (NEW.unit <> 'user' AND NEW.user_column IS NOT NULL) THEN RAISE EXCEPTION 'a charge about users names the column that its account declares' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.link_is_the_next() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.position <> (SELECT coalesce(max(position), 0) FROM link) + 1 THEN RAISE EXCEPTION 'links are added at the end' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.one_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM dpspin_ledger) THEN RAISE EXCEPTION 'a ledger has one version' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.output_is_of_the_newest() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.id) OR NOT EXISTS (SELECT 1 FROM entry WHERE id = NEW.id) THEN RAISE EXCEPTION 'only the newest run of a charge may store its output' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.population_is_one() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.population_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.population_id AND kind = 'population') THEN RAISE EXCEPTION 'a dataset belongs to a population' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.resumption_is_the_next() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.entry_id) + 1 OR EXISTS (SELECT 1 FROM output WHERE id = NEW.entry_id) THEN RAISE EXCEPTION 'a run takes over from the newest, and not from one that has finished' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.row_is_fixed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    RAISE EXCEPTION 'ledger rows are never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
    RETURN NEW;
END $$;

CREATE FUNCTION golden.waits_for_its_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    
    PERFORM 1 FROM scope
    WHERE id = NEW.scope_id OR id = (SELECT population_id FROM scope WHERE id = NEW.scope_id)
    ORDER BY id FOR UPDATE;

    RETURN NEW;
END $$;

CREATE TABLE golden.budget_change (
    id integer NOT NULL,
    scope_id integer NOT NULL,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    rho_nano bigint NOT NULL,
    note character varying NOT NULL,
    day date NOT NULL,
    CONSTRAINT budget_change_delta_atto_check CHECK ((delta_atto >= 0)),
    CONSTRAINT budget_change_epsilon_nano_check CHECK ((epsilon_nano >= 0)),
    CONSTRAINT budget_change_rho_nano_check CHECK ((rho_nano >= 0))
);

CREATE SEQUENCE golden.budget_change_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.budget_change_id_seq OWNED BY golden.budget_change.id;

CREATE TABLE golden.declaration (
    id integer NOT NULL,
    dataset character varying NOT NULL,
    subject character varying NOT NULL,
    value character varying NOT NULL,
    note character varying NOT NULL,
    day date NOT NULL,
    CONSTRAINT declaration_subject_check CHECK (((subject)::text = ANY ((ARRAY['user_column'::character varying, 'apart'::character varying])::text[])))
);

CREATE SEQUENCE golden.declaration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.declaration_id_seq OWNED BY golden.declaration.id;

CREATE TABLE golden.dpspin_ledger (
    schema_version integer NOT NULL,
    genesis character varying NOT NULL
);

CREATE SEQUENCE golden.dpspin_ledger_schema_version_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.dpspin_ledger_schema_version_seq OWNED BY golden.dpspin_ledger.schema_version;

CREATE TABLE golden.entry (
    id integer NOT NULL,
    scope_id integer NOT NULL,
    fingerprint character varying NOT NULL,
    content character varying NOT NULL,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    rho_nano bigint NOT NULL,
    unit character varying NOT NULL,
    adjacency character varying NOT NULL,
    mechanism character varying NOT NULL,
    request character varying NOT NULL,
    part character varying,
    day date NOT NULL,
    user_column character varying,
    likeness bytea,
    CONSTRAINT entry_adjacency_check CHECK (((adjacency)::text = ANY ((ARRAY['add_drop'::character varying, 'replace'::character varying])::text[]))),
    CONSTRAINT entry_delta_atto_check CHECK ((delta_atto >= 0)),
    CONSTRAINT entry_epsilon_nano_check CHECK ((epsilon_nano > 0)),
    CONSTRAINT entry_rho_nano_check CHECK ((rho_nano > 0)),
    CONSTRAINT entry_unit_check CHECK (((unit)::text = ANY ((ARRAY['record'::character varying, 'user'::character varying])::text[])))
);

CREATE SEQUENCE golden.entry_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.entry_id_seq OWNED BY golden.entry.id;

CREATE TABLE golden.link (
    "position" integer NOT NULL,
    kind character varying NOT NULL,
    row_id integer NOT NULL,
    public_hash character varying NOT NULL,
    private_hash character varying NOT NULL
);

CREATE TABLE golden.output (
    id integer NOT NULL,
    attempt integer NOT NULL,
    output bytea NOT NULL,
    CONSTRAINT output_attempt_check CHECK ((attempt >= 1))
);

CREATE TABLE golden.scope (
    id integer NOT NULL,
    kind character varying NOT NULL,
    name character varying NOT NULL,
    currency character varying NOT NULL,
    population_id integer,
    partition character varying,
    unit character varying,
    adjacency character varying,
    CONSTRAINT scope_adjacency_check CHECK (((adjacency)::text = ANY ((ARRAY['add_drop'::character varying, 'replace'::character varying])::text[]))),
    CONSTRAINT scope_check CHECK ((((kind)::text = 'dataset'::text) OR ((population_id IS NULL) AND (partition IS NULL)))),
    CONSTRAINT scope_check1 CHECK (((unit IS NULL) = (adjacency IS NULL))),
    CONSTRAINT scope_currency_check CHECK (((currency)::text = ANY ((ARRAY['epsilon'::character varying, 'rho'::character varying])::text[]))),
    CONSTRAINT scope_kind_check CHECK (((kind)::text = ANY ((ARRAY['dataset'::character varying, 'population'::character varying])::text[]))),
    CONSTRAINT scope_unit_check CHECK (((unit)::text = ANY ((ARRAY['record'::character varying, 'user'::character varying])::text[])))
);

CREATE VIEW golden.spent_by_part AS
 SELECT scope_id,
    part,
    sum(epsilon_nano) AS epsilon_nano,
    sum(delta_atto) AS delta_atto,
    sum(rho_nano) AS rho_nano
   FROM golden.entry
  GROUP BY scope_id, part;

CREATE VIEW golden.spent AS
 SELECT scope_id,
    sum(epsilon_nano) AS epsilon_nano,
    sum(delta_atto) AS delta_atto,
    sum(rho_nano) AS rho_nano
   FROM ( SELECT spent_by_part.scope_id,
            spent_by_part.epsilon_nano,
            spent_by_part.delta_atto,
            spent_by_part.rho_nano
           FROM golden.spent_by_part
          WHERE (spent_by_part.part IS NULL)
        UNION ALL
         SELECT spent_by_part.scope_id,
            max(spent_by_part.epsilon_nano) AS max,
            max(spent_by_part.delta_atto) AS max,
            max(spent_by_part.rho_nano) AS max
           FROM golden.spent_by_part
          WHERE (spent_by_part.part IS NOT NULL)
          GROUP BY spent_by_part.scope_id
        UNION ALL
         SELECT member.population_id,
            entry.epsilon_nano,
            entry.delta_atto,
            entry.rho_nano
           FROM (golden.entry
             JOIN golden.scope member ON ((member.id = entry.scope_id)))
          WHERE (member.population_id IS NOT NULL)) share
  GROUP BY scope_id;

CREATE VIEW golden.overspent AS
 SELECT scope.id
   FROM (((golden.spent
     JOIN golden.scope ON ((scope.id = spent.scope_id)))
     LEFT JOIN ( SELECT budget_change.scope_id,
            max(budget_change.id) AS id
           FROM golden.budget_change
          GROUP BY budget_change.scope_id) newest ON ((newest.scope_id = scope.id)))
     LEFT JOIN golden.budget_change cap ON ((cap.id = newest.id)))
  WHERE ((((scope.currency)::text = 'rho'::text) AND (spent.rho_nano > (COALESCE(cap.rho_nano, ('-1'::integer)::bigint))::numeric)) OR (((scope.currency)::text = 'epsilon'::text) AND ((spent.epsilon_nano > (COALESCE(cap.epsilon_nano, ('-1'::integer)::bigint))::numeric) OR (spent.delta_atto > (COALESCE(cap.delta_atto, ('-1'::integer)::bigint))::numeric))));

CREATE TABLE golden.resumption (
    id integer NOT NULL,
    entry_id integer NOT NULL,
    attempt integer NOT NULL,
    CONSTRAINT resumption_attempt_check CHECK ((attempt >= 2))
);

CREATE SEQUENCE golden.resumption_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.resumption_id_seq OWNED BY golden.resumption.id;

CREATE SEQUENCE golden.scope_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.scope_id_seq OWNED BY golden.scope.id;

ALTER TABLE ONLY golden.budget_change ALTER COLUMN id SET DEFAULT nextval('golden.budget_change_id_seq'::regclass);

ALTER TABLE ONLY golden.declaration ALTER COLUMN id SET DEFAULT nextval('golden.declaration_id_seq'::regclass);

ALTER TABLE ONLY golden.dpspin_ledger ALTER COLUMN schema_version SET DEFAULT nextval('golden.dpspin_ledger_schema_version_seq'::regclass);

ALTER TABLE ONLY golden.entry ALTER COLUMN id SET DEFAULT nextval('golden.entry_id_seq'::regclass);

ALTER TABLE ONLY golden.resumption ALTER COLUMN id SET DEFAULT nextval('golden.resumption_id_seq'::regclass);

ALTER TABLE ONLY golden.scope ALTER COLUMN id SET DEFAULT nextval('golden.scope_id_seq'::regclass);

INSERT INTO golden.budget_change VALUES (1, 1, 4000000000, 0, 0, 'the board', '2026-11-17');
INSERT INTO golden.budget_change VALUES (2, 2, 2000000000, 0, 0, 'the owner', '2026-11-17');
INSERT INTO golden.budget_change VALUES (3, 3, 1000000000, 0, 0, 'the owner', '2026-11-17');

INSERT INTO golden.declaration VALUES (1, 'tickets', 'user_column', 'customer', 'the owner', '2026-11-17');
INSERT INTO golden.declaration VALUES (2, 'reviews', 'apart', 'tickets', 'the owner: other people', '2026-11-17');

INSERT INTO golden.dpspin_ledger VALUES (4, '46f3a9b0ffe5fa149851033c1cd08b45a98e311e9ebd0d614fa884087f6206b9');

INSERT INTO golden.entry VALUES (1, 2, 'answered', 'digest of tickets', 500000000, 0, 125000001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-17', 'customer', '\xffffffffffffffff280000004260c99d4488a602e4b2a9fc0dcd570f19aa2443b7526e107f20c6531ea09319011d19fa694b1b1c859c6d6cfaf88728bca143e620057d2e610596d364e2fc368751741b5138163748b8201da6ace33719ceeb50fbbcda47b0220529f6c364574a0fdc8b1e46f65e9bf4cbe13063166762715fefccf57268f63e50ba90a37b7904bfa5cf7e3835818404d9446c051f872e5a646af58667874ddf01db3846198e2a51ca8353e9b491f65a5fe0a793d6942c40d649f483029985b04be99c56e09ae74e25d9e9eff5a5dbcb96deb403a5ac594ecf5ebad4e1b2bb47df3d5f3de1b37a03ed0082259dba4ef2ab9b60d0a9bf16dcf9e116a649cbf394400d7ead07d2a1f6103710947cdb94158e2aa39ee5ebda75f434e26a8bec6bad0121cab683efd3d11cc250a21bf1ef70dd69b2c087f547727c7c7675c4f896783917de8378fcffffffffffffffff28000000c8ca4b358772ee00d18eb847094f7203551792ba97a0bb04a2991736abf285050616332e63355606837ddce7acd10507e1acbb7a6df1000c698db5492a328f14282fdaccea2a8d246cc294061681102de12f1ecddf4f47370ac60abae2adb940723b270f8f59a9470d55cd792f9e51508590640c572fa551da172fda30401f53fee7f505956a7059caea5c9e5143385ac4af7bbd82f3406179bb1de2b78fec665942326df23e85725e99b29c59fe3c7a1f1a33bcb99e5a801035a67e42800a88eb9f6fc84c9dd388bd4cd9758ae50f92df209349e6063196e1221797914bc69798a65b71107eeda8589ba189e91920aad935ede78ba15cb1d9333802ec6f6dbcece96eef62cf4dc7219a9c6b40c80fc9bf0a33b2367e34d2a9671a771b4e5dd22b88231d35d40fe3a225053490ccaee829b06b74d23e26eaffb2a4fd660addf5');
INSERT INTO golden.entry VALUES (2, 2, 'stopped', 'digest of tickets', 250000000, 0, 31250001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-17', 'customer', '\xffffffffffffffff280000004260c99d4488a602e4b2a9fc0dcd570f19aa2443b7526e107f20c6531ea09319011d19fa694b1b1c859c6d6cfaf88728bca143e620057d2e610596d364e2fc368751741b5138163748b8201da6ace33719ceeb50fbbcda47b0220529f6c364574a0fdc8b1e46f65e9bf4cbe13063166762715fefccf57268f63e50ba90a37b7904bfa5cf7e3835818404d9446c051f872e5a646af58667874ddf01db3846198e2a51ca8353e9b491f65a5fe0a793d6942c40d649f483029985b04be99c56e09ae74e25d9e9eff5a5dbcb96deb403a5ac594ecf5ebad4e1b2bb47df3d5f3de1b37a03ed0082259dba4ef2ab9b60d0a9bf16dcf9e116a649cbf394400d7ead07d2a1f6103710947cdb94158e2aa39ee5ebda75f434e26a8bec6bad0121cab683efd3d11cc250a21bf1ef70dd69b2c087f547727c7c7675c4f896783917de8378fcffffffffffffffff28000000c8ca4b358772ee00d18eb847094f7203551792ba97a0bb04a2991736abf285050616332e63355606837ddce7acd10507e1acbb7a6df1000c698db5492a328f14282fdaccea2a8d246cc294061681102de12f1ecddf4f47370ac60abae2adb940723b270f8f59a9470d55cd792f9e51508590640c572fa551da172fda30401f53fee7f505956a7059caea5c9e5143385ac4af7bbd82f3406179bb1de2b78fec665942326df23e85725e99b29c59fe3c7a1f1a33bcb99e5a801035a67e42800a88eb9f6fc84c9dd388bd4cd9758ae50f92df209349e6063196e1221797914bc69798a65b71107eeda8589ba189e91920aad935ede78ba15cb1d9333802ec6f6dbcece96eef62cf4dc7219a9c6b40c80fc9bf0a33b2367e34d2a9671a771b4e5dd22b88231d35d40fe3a225053490ccaee829b06b74d23e26eaffb2a4fd660addf5');
INSERT INTO golden.entry VALUES (3, 3, 'answered', 'digest of reviews', 750000000, 0, 281250001, 'record', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-17', NULL, NULL);

INSERT INTO golden.link VALUES (1, 'scope', 1, 'd756b50851840f7c810858ee00473491082562fb50fc1ab85a483ae3fc04f6a3', '72d21641402a0b96251b5375b7fbd4a981f1ced786665552c83ab8bde0f9c2a5');
INSERT INTO golden.link VALUES (2, 'budget', 1, 'e2bdef7d1618d307eb2ddb15228d8f9cfb3c56761bb8c0080c32e4c7f3a1a357', '1abc655edf36f88263e2bf1a4f3ec8a36a218e820f68f1632a93f2f20d804c69');
INSERT INTO golden.link VALUES (3, 'scope', 2, 'ff191db769af2d7c498b037fda0da7217d324f6d8c81ad083caea0f1613b227f', 'b446f75c9ab69e5bae5864c25564413e83b707c8d67f3f2694a39c595891a873');
INSERT INTO golden.link VALUES (4, 'budget', 2, 'cbc09334408c607182d89aa73d1e14f8d8a7b878b0d37f623e4e5452a133dd39', '86b8c7dfdf11f7df13c07750211ebb4b10eed0cdeb0fe340f70cc8b93d21812d');
INSERT INTO golden.link VALUES (5, 'declaration', 1, 'e94a7e19e879390463240879792f2498e2188903c6c2bc74f69c8aaa09ea19f2', '2d4c1df117d121592cdbd8841e7d6c659465312e5ba2c2417780a00d4fed3b37');
INSERT INTO golden.link VALUES (6, 'scope', 3, '5143e9f80e9d8d49706d833011360241628efd42289f07148e3d22ce5da5099d', '343eeea95fed124c70746f36885be4ee71028237ecd907abffb4764e1143b3fc');
INSERT INTO golden.link VALUES (7, 'budget', 3, 'fe98e2aedeb41c6e4fa888188743577f8cc2e18e76e8b6bbb11b329355dcb12d', 'd4148d1059fc5a2fb3a8bf5af8ee9541addc77d95267d4612e51fe7848b73ede');
INSERT INTO golden.link VALUES (8, 'entry', 1, '376655fcaaacb74590777873588d043e0950ff696e250a0df458da7986b98d32', 'dcd61032c255e7d3dcb966566fdc800ae39bc8496825765145111b7b88e7a9b4');
INSERT INTO golden.link VALUES (9, 'output', 1, '54af04dc9df1e9b59bf2ebd9ed5bacaff5e758996a45e4b96f834688f637b309', '9bc3bafb2eca38de9fae7a2534c574f2e14ea734f1facb8842a9261b89bb4544');
INSERT INTO golden.link VALUES (10, 'entry', 2, '490c83df7acb7e99f809dd48f9cbaf5db704e6d8085c4da1859a2d5006128193', '831624959eed4dc59675827314db7ed5f95d9159a8c32a266ae61800c40776fd');
INSERT INTO golden.link VALUES (11, 'entry', 3, '2f849688bd90313215c2fde69c1b0915449ee620f3b9f95f6528baca3ba71fcb', '88da086f1891b022a98df397d50aa00901516dbb7d41d1e4205242e9759b3999');
INSERT INTO golden.link VALUES (12, 'declaration', 2, '6cbe48fa9b313a4b9a71107c9342bad525c199fe52916db26e3c3f068afb024c', '8d1a3f923a78cf4335bc15d335fb74555fb8e82da68cd5b0435b9a790265bf2e');

INSERT INTO golden.output VALUES (1, 1, '\x7b2261223a2022706c616e227d');

INSERT INTO golden.scope VALUES (1, 'population', 'customers', 'epsilon', NULL, NULL, NULL, NULL);
INSERT INTO golden.scope VALUES (2, 'dataset', 'tickets', 'epsilon', 1, NULL, 'user', 'add_drop');
INSERT INTO golden.scope VALUES (3, 'dataset', 'reviews', 'epsilon', NULL, NULL, NULL, NULL);

SELECT pg_catalog.setval('golden.budget_change_id_seq', 3, true);

SELECT pg_catalog.setval('golden.declaration_id_seq', 2, true);

SELECT pg_catalog.setval('golden.dpspin_ledger_schema_version_seq', 1, false);

SELECT pg_catalog.setval('golden.entry_id_seq', 3, true);

SELECT pg_catalog.setval('golden.resumption_id_seq', 1, false);

SELECT pg_catalog.setval('golden.scope_id_seq', 3, true);

ALTER TABLE ONLY golden.budget_change
    ADD CONSTRAINT budget_change_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.declaration
    ADD CONSTRAINT declaration_dataset_subject_value_key UNIQUE (dataset, subject, value);

ALTER TABLE ONLY golden.declaration
    ADD CONSTRAINT declaration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.dpspin_ledger
    ADD CONSTRAINT dpspin_ledger_pkey PRIMARY KEY (schema_version);

ALTER TABLE ONLY golden.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.entry
    ADD CONSTRAINT entry_scope_id_fingerprint_key UNIQUE (scope_id, fingerprint);

ALTER TABLE ONLY golden.link
    ADD CONSTRAINT link_kind_row_id_key UNIQUE (kind, row_id);

ALTER TABLE ONLY golden.link
    ADD CONSTRAINT link_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY golden.link
    ADD CONSTRAINT link_public_hash_key UNIQUE (public_hash);

ALTER TABLE ONLY golden.output
    ADD CONSTRAINT output_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_entry_id_attempt_key UNIQUE (entry_id, attempt);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_kind_name_key UNIQUE (kind, name);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_pkey PRIMARY KEY (id);

CREATE TRIGGER a_waits_for_its_account BEFORE INSERT ON golden.budget_change FOR EACH ROW EXECUTE FUNCTION golden.waits_for_its_account();

CREATE TRIGGER a_waits_for_its_account BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.waits_for_its_account();

CREATE TRIGGER budget_change_is_fixed BEFORE DELETE OR UPDATE ON golden.budget_change FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER budget_change_stays BEFORE TRUNCATE ON golden.budget_change FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER cap_covers_what_is_spent AFTER INSERT ON golden.budget_change FOR EACH ROW EXECUTE FUNCTION golden.cap_covers_what_is_spent();

CREATE TRIGGER declaration_is_fixed BEFORE DELETE OR UPDATE ON golden.declaration FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER declaration_stays BEFORE TRUNCATE ON golden.declaration FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER dpspin_ledger_is_fixed BEFORE DELETE OR UPDATE ON golden.dpspin_ledger FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER dpspin_ledger_stays BEFORE TRUNCATE ON golden.dpspin_ledger FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER entry_fits_its_account BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_fits_its_account();

CREATE TRIGGER entry_is_affordable AFTER INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_is_affordable();

CREATE TRIGGER entry_is_fixed BEFORE DELETE OR UPDATE ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER entry_is_of_one_kind BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_is_of_one_kind();

CREATE TRIGGER entry_names_its_users BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_names_its_users();

CREATE TRIGGER entry_stays BEFORE TRUNCATE ON golden.entry FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER link_is_fixed BEFORE DELETE OR UPDATE ON golden.link FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER link_is_the_next BEFORE INSERT ON golden.link FOR EACH ROW EXECUTE FUNCTION golden.link_is_the_next();

CREATE TRIGGER link_stays BEFORE TRUNCATE ON golden.link FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER one_version BEFORE INSERT ON golden.dpspin_ledger FOR EACH ROW EXECUTE FUNCTION golden.one_version();

CREATE TRIGGER output_is_fixed BEFORE DELETE OR UPDATE ON golden.output FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER output_is_of_the_newest BEFORE INSERT ON golden.output FOR EACH ROW EXECUTE FUNCTION golden.output_is_of_the_newest();

CREATE TRIGGER output_stays BEFORE TRUNCATE ON golden.output FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER population_is_one BEFORE INSERT ON golden.scope FOR EACH ROW EXECUTE FUNCTION golden.population_is_one();

CREATE TRIGGER resumption_is_fixed BEFORE DELETE OR UPDATE ON golden.resumption FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER resumption_is_the_next BEFORE INSERT ON golden.resumption FOR EACH ROW EXECUTE FUNCTION golden.resumption_is_the_next();

CREATE TRIGGER resumption_stays BEFORE TRUNCATE ON golden.resumption FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER scope_is_fixed BEFORE DELETE OR UPDATE ON golden.scope FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER scope_stays BEFORE TRUNCATE ON golden.scope FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

ALTER TABLE ONLY golden.budget_change
    ADD CONSTRAINT budget_change_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES golden.scope(id);

ALTER TABLE ONLY golden.entry
    ADD CONSTRAINT entry_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES golden.scope(id);

ALTER TABLE ONLY golden.output
    ADD CONSTRAINT output_id_fkey FOREIGN KEY (id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_population_id_fkey FOREIGN KEY (population_id) REFERENCES golden.scope(id);
