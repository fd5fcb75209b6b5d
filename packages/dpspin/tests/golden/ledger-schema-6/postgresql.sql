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

CREATE FUNCTION golden.period_follows() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM entry JOIN output ON output.id = entry.id WHERE entry.id = NEW.entry_id AND entry.mechanism = 'laplace in a series') OR NEW.generation <> (SELECT coalesce(max(generation), 0) + 1 FROM period WHERE entry_id = NEW.entry_id) OR EXISTS (SELECT 1 FROM period WHERE entry_id = NEW.entry_id AND name >= NEW.name) THEN RAISE EXCEPTION 'a period follows those before it, in a life that was paid for' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.period_output_is_of_the_newest() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.id) OR NOT EXISTS (SELECT 1 FROM period WHERE id = NEW.id) THEN RAISE EXCEPTION 'only the newest run of a period may store its output' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.period_run_is_the_next() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.period_id) + 1 OR EXISTS (SELECT 1 FROM period_output WHERE id = NEW.period_id) THEN RAISE EXCEPTION 'a run takes over from the newest, and not from one that has finished' USING ERRCODE = 'integrity_constraint_violation'; END IF;
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

CREATE TABLE golden.period (
    id integer NOT NULL,
    entry_id integer NOT NULL,
    name character varying NOT NULL,
    generation integer NOT NULL,
    content character varying NOT NULL,
    state character varying NOT NULL,
    likeness bytea,
    day date NOT NULL,
    CONSTRAINT period_generation_check CHECK ((generation >= 1))
);

CREATE SEQUENCE golden.period_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.period_id_seq OWNED BY golden.period.id;

CREATE TABLE golden.period_output (
    id integer NOT NULL,
    attempt integer NOT NULL,
    output bytea NOT NULL,
    CONSTRAINT period_output_attempt_check CHECK ((attempt >= 1))
);

CREATE TABLE golden.period_run (
    id integer NOT NULL,
    period_id integer NOT NULL,
    attempt integer NOT NULL,
    CONSTRAINT period_run_attempt_check CHECK ((attempt >= 2))
);

CREATE SEQUENCE golden.period_run_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.period_run_id_seq OWNED BY golden.period_run.id;

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

ALTER TABLE ONLY golden.period ALTER COLUMN id SET DEFAULT nextval('golden.period_id_seq'::regclass);

ALTER TABLE ONLY golden.period_run ALTER COLUMN id SET DEFAULT nextval('golden.period_run_id_seq'::regclass);

ALTER TABLE ONLY golden.resumption ALTER COLUMN id SET DEFAULT nextval('golden.resumption_id_seq'::regclass);

ALTER TABLE ONLY golden.scope ALTER COLUMN id SET DEFAULT nextval('golden.scope_id_seq'::regclass);

INSERT INTO golden.budget_change VALUES (1, 1, 5000000000, 0, 0, 'decided for all', '2026-11-18');
INSERT INTO golden.budget_change VALUES (2, 2, 3000000000, 0, 0, 'decided by the owner', '2026-11-18');
INSERT INTO golden.budget_change VALUES (3, 3, 1000000000, 0, 0, '', '2026-11-18');

INSERT INTO golden.declaration VALUES (1, 'tickets', 'user_column', 'customer', 'decided by the owner', '2026-11-18');
INSERT INTO golden.declaration VALUES (2, 'reviews', 'apart', 'tickets', 'other people', '2026-11-18');

INSERT INTO golden.dpspin_ledger VALUES (6, '034f8fdbaa6f04cfa09891fa09663257d514cdb65de38776f97a2e9634d2d9b4');

INSERT INTO golden.entry VALUES (1, 2, 'answered', 'digest of tickets', 250000000, 0, 31250001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-18', 'customer', NULL);
INSERT INTO golden.entry VALUES (2, 2, 'stopped', 'digest of tickets', 250000000, 0, 31250001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-18', 'customer', NULL);
INSERT INTO golden.entry VALUES (3, 2, 'a life', 'content of nobody', 1000000000, 0, 500000001, 'user', 'add_drop', 'laplace in a series', '{"mechanism":{"kind":"laplace"},"series":{}}', NULL, '2026-11-18', 'customer', NULL);

INSERT INTO golden.link VALUES (1, 'scope', 1, '0bc8c94530a2c13cae0d764b68814edf8ab6cc49239957a866f5ff3460a02ae6', '437783d577d354ffa4822504e6a7ee29c7f6e874c7e3cfce4c72c4ed3fa430a2');
INSERT INTO golden.link VALUES (2, 'budget', 1, '55d3b17cb44a3a38ead964964d06235ae9fbe0a34264a52345608858319bd345', '4e4520dfac082d29141792c42e77f5b65f3835c69be2ed3dbb980c7b0c8eca47');
INSERT INTO golden.link VALUES (3, 'scope', 2, 'e44c03056e797aaeefc276d8ea18710865de5637b6b12c0b9161a8a7d70b8568', '0f3213654356a3dbed5609ada4cb83469154c29c4d5533e0f18eb9342935e317');
INSERT INTO golden.link VALUES (4, 'budget', 2, 'a13377d7847363c6cb8605fea129811213d22487699e2516a068c657c93f4926', 'da9a1bedc821fd0d669bd24b9ab46dc8d6d3dd306dd6964e9828a77b4bd8da4a');
INSERT INTO golden.link VALUES (5, 'declaration', 1, 'f54417b8b5b84d6ed68bd44d26fb10b256a5656640d32a87c77e80a12d8908d0', '34483e62b5f008866a327134abe57424c5ecbfa1ef23757c52043f0c2ce4c792');
INSERT INTO golden.link VALUES (6, 'scope', 3, '689a6087319e1e22fc2382ab19e997ca7dd8c8cbecdb641812cd9a659e73f60a', 'd4ab7b1e175957685f55f3b2a7e9c5af04e6f39401ec2de9ab5584a9636c7b1e');
INSERT INTO golden.link VALUES (7, 'budget', 3, '161969a9398afb5f1af6b3a522c6720c1a18daf4cf4db8d2d5127666e5e840cb', 'c873b5aa8f4abba5b292afec739c5eb38f34135898244369d4bc82411a9b4ffa');
INSERT INTO golden.link VALUES (8, 'declaration', 2, '5a3dc48674b41da1492e1c3361a63eb3cb4eb1fc632a397bacc05b440972a846', '793dedfb2ee52e8f6b6c984b7e55bd0908d74220788abf28050833957fccc803');
INSERT INTO golden.link VALUES (9, 'entry', 1, '8cbe5fbd5a6c4445ecbc00790ac0cc404c006d5bdb71df58994749666e9a0ceb', '1506b622251e5240d21f119a274386bcf0092f1ae42dc166a0df52ddd8200336');
INSERT INTO golden.link VALUES (10, 'output', 1, '68798d18c9f07e6b6d6ca989b178fd7c3c2e8bcc3532063ca2bc8ae2b077df8e', '7fac8165c546e09b804f66c99ac1f120d838af1ede1759b75c697ba0534b9648');
INSERT INTO golden.link VALUES (11, 'entry', 2, '4e064f19aa7b2570db15b501854ac3ed84cd1a29ffa13a7d9caa697975cfac92', '3771e410de57763823ec8ab9761bb3a7716283fe1f2ff6f1eca21221a3aa133c');
INSERT INTO golden.link VALUES (12, 'resumption', 1, 'ca170762665f70836e4c4bd5fbe496fbd7b045e36e7642b695060d8b85a2b2d8', '48b56edb9c4d1aa1b32177a8988a62cf1df9949eb57e94d698632140815e1e56');
INSERT INTO golden.link VALUES (13, 'entry', 3, '932e9ed3adb7f27c3f5f9a1614b017d572b78e8c8e1a4e49ff7b88a71e27503c', 'e5c2f4edde1fd6f51ba53b3cede2bb544fae0dfce5cc5b4f7a85c4c65a950989');
INSERT INTO golden.link VALUES (14, 'output', 3, '1a44582979d7256dfc4819ee17316780494f645acbc7cf3b6936c8d7bf3a7ac7', 'c89edbfca3f1af3d3b441726f9ca750927537013ecbfc75a6bbd1e6f08b8c31b');
INSERT INTO golden.link VALUES (15, 'period', 1, 'b17232447eda25b89fd20ec2439417bd9883b97675fc7cf4f88419fde92d0fd5', '4217f91bed6bd8369488803556fd7f1df8722f9fbfabab46952dca9b7901e373');
INSERT INTO golden.link VALUES (16, 'period_output', 1, 'a5998ebd84069e726b7e43d726be223affe3ac08ffcbe71dd6179b24e580abb6', '7734f349d43ac83fbb3e2d402fc5424167939f3e3aa3ce51441afa3d574e541a');

INSERT INTO golden.output VALUES (1, 1, '\x7b2261223a2022706c616e227d');
INSERT INTO golden.output VALUES (3, 1, '\x7465726d73');

INSERT INTO golden.period VALUES (1, 3, '2026-W01', 1, 'records of 2026-W01', 'state 1', NULL, '2026-11-18');

INSERT INTO golden.period_output VALUES (1, 1, '\x706c616e206f6620323032362d573031');

INSERT INTO golden.resumption VALUES (1, 2, 2);

INSERT INTO golden.scope VALUES (1, 'population', 'customers', 'epsilon', NULL, NULL, 'user', 'add_drop');
INSERT INTO golden.scope VALUES (2, 'dataset', 'tickets', 'epsilon', 1, NULL, 'user', 'add_drop');
INSERT INTO golden.scope VALUES (3, 'dataset', 'reviews', 'epsilon', NULL, NULL, NULL, NULL);

SELECT pg_catalog.setval('golden.budget_change_id_seq', 3, true);

SELECT pg_catalog.setval('golden.declaration_id_seq', 2, true);

SELECT pg_catalog.setval('golden.dpspin_ledger_schema_version_seq', 1, false);

SELECT pg_catalog.setval('golden.entry_id_seq', 3, true);

SELECT pg_catalog.setval('golden.period_id_seq', 1, true);

SELECT pg_catalog.setval('golden.period_run_id_seq', 1, false);

SELECT pg_catalog.setval('golden.resumption_id_seq', 1, true);

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

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_entry_id_generation_key UNIQUE (entry_id, generation);

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_entry_id_name_key UNIQUE (entry_id, name);

ALTER TABLE ONLY golden.period_output
    ADD CONSTRAINT period_output_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.period_run
    ADD CONSTRAINT period_run_period_id_attempt_key UNIQUE (period_id, attempt);

ALTER TABLE ONLY golden.period_run
    ADD CONSTRAINT period_run_pkey PRIMARY KEY (id);

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

CREATE TRIGGER period_follows BEFORE INSERT ON golden.period FOR EACH ROW EXECUTE FUNCTION golden.period_follows();

CREATE TRIGGER period_is_fixed BEFORE DELETE OR UPDATE ON golden.period FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_output_is_fixed BEFORE DELETE OR UPDATE ON golden.period_output FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_output_is_of_the_newest BEFORE INSERT ON golden.period_output FOR EACH ROW EXECUTE FUNCTION golden.period_output_is_of_the_newest();

CREATE TRIGGER period_output_stays BEFORE TRUNCATE ON golden.period_output FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_run_is_fixed BEFORE DELETE OR UPDATE ON golden.period_run FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_run_is_the_next BEFORE INSERT ON golden.period_run FOR EACH ROW EXECUTE FUNCTION golden.period_run_is_the_next();

CREATE TRIGGER period_run_stays BEFORE TRUNCATE ON golden.period_run FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_stays BEFORE TRUNCATE ON golden.period FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

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

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.period_output
    ADD CONSTRAINT period_output_id_fkey FOREIGN KEY (id) REFERENCES golden.period(id);

ALTER TABLE ONLY golden.period_run
    ADD CONSTRAINT period_run_period_id_fkey FOREIGN KEY (period_id) REFERENCES golden.period(id);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_population_id_fkey FOREIGN KEY (population_id) REFERENCES golden.scope(id);
