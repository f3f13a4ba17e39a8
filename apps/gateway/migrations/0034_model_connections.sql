CREATE TABLE "quarry"."model_connections" (
	"provider" text PRIMARY KEY NOT NULL,
	"base_url" text,
	"model" text,
	"encrypted_key" text,
	"key_hint" text,
	"updated_at" timestamp with time zone NOT NULL
);
