CREATE DATABASE billing_sandbox;
